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
    let controls = try catalog.controls().map(\.description)
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
    #expect(try catalog.controls().map(\.description.id.rawValue) == ["brightness", "led_mode"])
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

/// A driver with some controls.
private final class SimulatedNode: RequestNode {
  struct Control: Sendable {
    var identifier: UInt32
    var name: String
    var type: v4l2_ctrl_type
    var range: ClosedRange<Int64>
    var items: [String] = []
    var value: Int64

    static func integer(
      _ identifier: UInt32, _ name: String, _ range: ClosedRange<Int64>, value: Int64
    ) -> Control {
      Control(
        identifier: identifier, name: name, type: V4L2_CTRL_TYPE_INTEGER, range: range, value: value
      )
    }

    static func menu(
      _ identifier: UInt32, _ name: String, _ items: [String], value: Int64
    ) -> Control {
      Control(
        identifier: identifier, name: name, type: V4L2_CTRL_TYPE_MENU,
        range: 0...Int64(items.count - 1), items: items, value: value)
    }

    static func button(_ identifier: UInt32, _ name: String) -> Control {
      Control(
        identifier: identifier, name: name, type: V4L2_CTRL_TYPE_BUTTON, range: 0...0, value: 0)
    }
  }

  let path: String
  private let controls: Mutex<[Control]>
  private let gone = Mutex(false)

  init(_ path: String, _ controls: [Control]) {
    self.path = path
    self.controls = Mutex(controls)
  }

  var isGone: Bool {
    get { gone.withLock { $0 } }
    set { gone.withLock { $0 = newValue } }
  }

  var values: [UInt32: Int64] {
    controls.withLock { controls in
      Dictionary(uniqueKeysWithValues: controls.map { ($0.identifier, $0.value) })
    }
  }

  func perform<Argument>(
    _ request: Request<Argument>, _ argument: inout Argument
  ) throws(SystemError) {
    guard !isGone else { throw SystemError(errno: ENODEV, operation: request.name) }
    let isDone =
      switch request.name {
      case "VIDIOC_QUERY_EXT_CTRL": change(&argument, query)
      case "VIDIOC_QUERYMENU": change(&argument, menu)
      case "VIDIOC_G_EXT_CTRLS": unsafe change(&argument) { unsafe exchange($0, isSet: false) }
      case "VIDIOC_S_EXT_CTRLS": unsafe change(&argument) { unsafe exchange($0, isSet: true) }
      default: false
      }
    guard isDone else { throw SystemError(errno: EINVAL, operation: request.name) }
  }

  /// - Parameter answer: returns the driver's answer; nil if it refuses.
  private func change<Argument, Value>(
    _ argument: inout Argument, _ answer: (Value) -> Value?
  ) -> Bool {
    guard let value = argument as? Value, let new = answer(value) as? Argument else { return false }
    argument = new
    return true
  }

  private func query(_ question: v4l2_query_ext_ctrl) -> v4l2_query_ext_ctrl? {
    let next = V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND.bits
    let identifier = question.id & ~next
    let control = controls.withLock { controls in
      controls.first {
        question.id & next == 0 ? $0.identifier == identifier : $0.identifier > identifier
      }
    }
    guard let control else { return nil }
    var answer = v4l2_query_ext_ctrl()
    (answer.id, answer.type) = (control.identifier, control.type.rawValue)
    (answer.minimum, answer.maximum) = (control.range.lowerBound, control.range.upperBound)
    (answer.step, answer.elem_size, answer.elems) = (1, 4, 1)
    Self.write(control.name, to: &answer.name)
    return answer
  }

  private func menu(_ question: v4l2_querymenu) -> v4l2_querymenu? {
    let control = controls.withLock { $0.first { $0.identifier == question.id } }
    guard let control, control.items.indices.contains(Int(question.index)) else { return nil }
    var answer = question
    Self.write(control.items[Int(question.index)], to: &answer.name)
    return answer
  }

  @unsafe private func exchange(_ list: v4l2_ext_controls, isSet: Bool) -> v4l2_ext_controls? {
    guard let wanted = unsafe list.controls else { return nil }
    let (identifier, value) = unsafe (wanted[0].id, Int64(wanted[0].value))
    let present: Int64? = controls.withLock { controls in
      guard let index = controls.firstIndex(where: { $0.identifier == identifier }) else {
        return nil
      }
      if isSet { controls[index].value = value }
      return controls[index].value
    }
    guard let present else { return nil }
    unsafe wanted[0].value = Int32(present)
    return unsafe list
  }

  private static func write<Characters>(_ text: String, to characters: inout Characters) {
    unsafe withUnsafeMutableBytes(of: &characters) { bytes in
      unsafe bytes.copyBytes(from: text.utf8)
    }
  }
}
