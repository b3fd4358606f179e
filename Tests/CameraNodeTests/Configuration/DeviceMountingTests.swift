import Capture
import Testing

@testable import CameraNode

struct DeviceMountingTests {
  @Test func `Position and rotation may follow every specification`() throws {
    for (text, mounting, rest) in [
      ("auto", DeviceMounting(), "auto"),
      (
        "v4l2:/dev/video0,1280x720@30,position=front,rotation=180",
        DeviceMounting(position: .front, rotation: 180), "v4l2:/dev/video0,1280x720@30"
      ),
      ("synthetic:,rotation=0,phase=2ms", DeviceMounting(rotation: 0), "synthetic:,phase=2ms"),
    ] {
      let parsed = try DeviceMounting.parse(text)
      #expect(parsed.mounting == mounting)
      #expect(parsed.rest == rest)
    }
    let camera = try CameraConfiguration(argument: "cam=synthetic:320x240,position=back")
    #expect(camera.mounting == DeviceMounting(position: .back))
  }

  @Test(arguments: [
    "auto,position=left", "auto,position=", "auto,rotation=45", "auto,rotation=x",
    "auto,position=front,position=back", "auto,rotation=0,rotation=90",
  ])
  func `A mistaken one is refused`(_ text: String) {
    #expect(throws: ConfigurationError.self) { try DeviceMounting.parse(text) }
  }

  @Test func `What the operator says comes before what the driver says`() {
    let driver = DeviceMounting(position: .back, rotation: 90)
    #expect(DeviceMounting().filled(from: driver) == driver)
    let operators = DeviceMounting(rotation: 0)
    #expect(operators.filled(from: driver) == DeviceMounting(position: .back, rotation: 0))
  }
}
