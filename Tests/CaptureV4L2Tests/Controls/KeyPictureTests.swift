import Capture
import Testing

@testable import CaptureV4L2

struct KeyPictureTests {
  private let brightness = SimulatedNode.Control.integer(
    0x0098_0900, "Brightness", 0...255, value: 128)

  @Test func `A camera is asked for a key picture by the control that is there for that`() {
    let camera = SimulatedNode(
      "/dev/video0", [brightness, .button(0x0099_09e5, "Force Key Frame")])
    ControlCatalog(of: camera).requestKeyPicture()
    #expect(camera.values == [0x0098_0900: 128, 0x0099_09e5: 1])
  }

  @Test func `A camera without the control is left alone`() {
    let camera = SimulatedNode("/dev/video0", [brightness])
    ControlCatalog(of: camera).requestKeyPicture()
    #expect(camera.values == [0x0098_0900: 128])
  }
}
