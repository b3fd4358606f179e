import Capture
import CaptureFiles
import Testing

@testable import CameraNode

struct CameraOptionsTests {
  @Test func `Position and rotation may follow every specification`() throws {
    for (text, mounting, rest) in [
      ("auto", DeviceMounting(), "auto"),
      (
        "v4l2:/dev/video0,1280x720@30,position=front,rotation=180",
        DeviceMounting(position: .front, rotation: 180), "v4l2:/dev/video0,1280x720@30"
      ),
      ("synthetic:,rotation=0,phase=2ms", DeviceMounting(rotation: 0), "synthetic:,phase=2ms"),
    ] {
      let parsed = try CameraOptions.parse(text)
      #expect(parsed.options.mounting == mounting)
      #expect(parsed.rest == rest)
    }
    let camera = try CameraConfiguration(argument: "cam=synthetic:320x240,position=back")
    #expect(camera.options.mounting == DeviceMounting(position: .back))
  }

  @Test func `A path may have commas, written with a backslash`() throws {
    for options in ["@25,rotation=90", "rotation=90,@25"] {
      let text = #"files:/a\,position=back\,b,"# + options
      let camera = try CameraConfiguration(argument: "cam=\(text)")
      guard case .files(let files) = camera.source else { throw Unexpected("no file camera") }
      #expect(files.path == "/a,position=back,b" && files.request.framesPerSecond == 25)
      #expect(camera.options.mounting == DeviceMounting(rotation: 90))
    }
  }

  @Test(arguments: [
    ("auto", nil), ("auto:1280x720,idle=warm", nil),
    ("auto:1280x720,idle=30s", Duration.seconds(30)),
    ("synthetic:,idle=200ms,phase=2ms", .milliseconds(200)),
  ])
  func `A camera may be closed when nobody uses it`(_ text: String, _ time: Duration?) throws {
    let parsed = try CameraOptions.parse(text)
    #expect(parsed.options.idleAfter == time)
    #expect(!parsed.rest.contains("idle"))
  }

  @Test func `A real camera's flash may be a node of its own`() throws {
    let camera = try CameraConfiguration(argument: "cam=v4l2:/dev/video0,flash=/dev/v4l-subdev3")
    #expect(camera.options.flash == "/dev/v4l-subdev3" && camera.source.isV4L2)
    for text in ["synthetic:,flash=/dev/v4l-subdev3", "auto,flash=/dev/v4l-subdev3"] {
      #expect(throws: ConfigurationError.self) { try CameraConfiguration(argument: "cam=\(text)") }
    }
    #expect(throws: ConfigurationError.self) {
      try AdoptionRule(
        name: "cam", rule: "driver=uvcvideo,flash=/dev/v4l-subdev3", origin: .option("adopt"))
    }
  }

  @Test(arguments: [
    "auto,position=left", "auto,position=", "auto,rotation=45", "auto,rotation=x",
    "auto,position=front,position=back", "auto,rotation=0,rotation=90",
    "auto,idle=", "auto,idle=0s", "auto,idle=30", "auto,idle=cold", "auto,idle=1s,idle=warm",
    "v4l2:/dev/video0,flash=", "v4l2:/dev/video0,flash=v4l-subdev3",
    "v4l2:/dev/video0,flash=/dev/a,flash=/dev/b",
    "auto,depth=", "auto,depth=a b", "auto,depth=_node", "auto,depth=a,depth=b",
  ])
  func `A mistaken one is refused`(_ text: String) {
    #expect(throws: ConfigurationError.self) { try CameraOptions.parse(text) }
  }

  @Test func `What the operator says comes before what the driver says`() {
    let driver = DeviceMounting(position: .back, rotation: 90)
    #expect(DeviceMounting().filled(from: driver) == driver)
    let operators = DeviceMounting(rotation: 0)
    #expect(operators.filled(from: driver) == DeviceMounting(position: .back, rotation: 0))
  }
}
