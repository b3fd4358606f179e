import CVideo4Linux
import Capture
import Glibc
import OperatingSystem
import Testing

@testable import CaptureV4L2

/// The controls of a flash that is a device node of its own.
struct FlashNodeTests {
  /// A camera with brightness and an LED mode without a flash, and the LED's own node.
  private let camera = SimulatedNode(
    "/dev/video0",
    [
      .integer(0x0098_0900, "Brightness", 0...255, value: 128),
      .menu(0x009c_0901, "LED Mode", ["Off"], value: 0),
    ])
  private let led = SimulatedNode(
    "/dev/v4l-subdev3",
    [
      .integer(0x0098_0900, "Brightness", 0...15, value: 3),
      .menu(0x009c_0901, "LED Mode", ["Off", "Flash", "Torch"], value: 0),
      .button(0x009c_0903, "Strobe"),
      .integer(0x009c_0906, "Strobe Timeout", 1000...500_000, value: 1000),
    ])

  @Test func `Its flash controls are among the camera's, and its others are not`() throws {
    let catalog = ControlCatalog(of: camera, led: led)
    #expect(catalog.hasLED)
    let controls = try catalog.controls()
    #expect(
      controls.map(\.id.rawValue) == ["brightness", "led_mode", "strobe", "strobe_timeout"])
    #expect(controls[0].maximum == 255)
    #expect(controls[1].menu.map(\.name) == ["Off", "Flash", "Torch"])
    #expect(controls[2].standard == .flashStrobe && controls[3].maximum == 500_000)
  }

  @Test func `Each control is read and written at the node that has it`() throws {
    let catalog = ControlCatalog(of: camera, led: led)
    for (name, value) in [("brightness", 9), ("led_mode", 1), ("strobe_timeout", 2000)] {
      let control = try catalog.control(named: ControlID(rawValue: name))
      let transfer = catalog.transfer(of: control)
      try transfer.write(.integer(Int64(value)), to: control)
      #expect(try transfer.read(control) == .integer(Int64(value)))
    }
    let strobe = try catalog.control(named: ControlID(rawValue: "strobe"))
    try catalog.transfer(of: strobe).write(.press, to: strobe)
    #expect(camera.values == [0x0098_0900: 9, 0x009c_0901: 0])
    #expect(
      led.values == [0x0098_0900: 3, 0x009c_0901: 1, 0x009c_0903: 1, 0x009c_0906: 2000])
  }

  @Test func `A node without flash controls is none of a flash`() throws {
    let other = SimulatedNode(
      "/dev/v4l-subdev0",
      [
        .integer(0x0098_0911, "Exposure", 0...9, value: 1)
      ])
    let catalog = ControlCatalog(of: camera, led: other)
    #expect(!catalog.hasLED)
    #expect(try catalog.controls().map(\.id.rawValue) == ["brightness", "led_mode"])
  }

  @Test func `A flash that is gone is told by its path`() throws {
    let catalog = ControlCatalog(of: camera, led: led)
    led.isGone = true
    let error = #expect(throws: CaptureError.self) {
      try catalog.control(named: ControlID(rawValue: "strobe"))
    }
    #expect(error?.code == .deviceNotFound && error?.message.contains("/dev/v4l-subdev3") == true)
    #expect(throws: Never.self) { try catalog.control(named: ControlID(rawValue: "brightness")) }
  }
}
