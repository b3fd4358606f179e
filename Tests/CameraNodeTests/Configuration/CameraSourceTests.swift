import Capture
import CaptureFiles
import CaptureSynthetic
import CaptureV4L2
import Imaging
import TestSupport
import Testing

@testable import CameraNode

struct CameraSourceTests {
  private static let wide = ImageSize(width: 1920, height: 1080)

  @Test func `A synthetic camera takes its own options`() throws {
    #expect(try CameraSource(parsing: "synthetic") == .synthetic(SyntheticSpecification()))
    guard
      case .synthetic(let specification) = try CameraSource(
        parsing: "synthetic:1920x1080@25,format=NV12,phase=2ms")
    else { throw Unexpected("no synthetic camera") }
    #expect(specification.size == Self.wide)
    #expect(specification.framesPerSecond == 25)
    #expect(specification.pixelFormat == .nv12)
    #expect(specification.phase == 2_000_000)
  }

  @Test func `A V4L2 camera has a device and optional format wishes`() throws {
    #expect(
      try CameraSource(parsing: "v4l2:/dev/video0")
        == .v4l2(device: "/dev/video0", FormatRequest()))
    #expect(
      try CameraSource(parsing: "v4l2:/dev/video2,1920x1080@30,format=MJPG")
        == .v4l2(
          device: "/dev/video2",
          FormatRequest(pixelFormat: .mjpeg, size: Self.wide, framesPerSecond: 30)))
    #expect(
      try CameraSource(parsing: "v4l2:usb-0000:00:14.0-3,@15")
        == .v4l2(device: "usb-0000:00:14.0-3", FormatRequest(framesPerSecond: 15)))
  }

  @Test func `A folder of files is played as it is or in the format that the options state`() throws
  {
    guard case .files(let plain) = try CameraSource(parsing: "files:/srv/pictures"),
      case .files(let raw) = try CameraSource(parsing: "files:raw,1920x1080@100,format=YUYV")
    else { throw Unexpected("no file camera") }
    #expect(plain.path == "/srv/pictures")
    #expect(plain.request == FormatRequest())
    #expect(raw.path == "raw")
    #expect(
      raw.request == FormatRequest(pixelFormat: .yuyv, size: Self.wide, framesPerSecond: 100))
  }

  @Test func `Automatic selection accepts format wishes too`() throws {
    #expect(try CameraSource(parsing: "auto") == .auto(FormatRequest()))
    #expect(
      try CameraSource(parsing: "auto:1920x1080") == .auto(FormatRequest(size: Self.wide)))
  }

  @Test func `Automatic selection says why it simulates a camera`() throws {
    let folder = try TemporaryFolder()
    let discovery = V4L2Discovery(folder: folder.path)
    let none = CameraSource.auto(FormatRequest()).resolved(by: discovery)
    #expect(none.device is SyntheticDevice)
    #expect(
      none.standInReason
        == "there is no real camera on this machine: plug one in, and start the node again")
    try folder.link("video0", to: "missing")
    let unusable = CameraSource.auto(FormatRequest()).resolved(by: discovery)
    #expect(unusable.standInReason?.contains("\(folder.path)/video0") == true)
    #expect(try CameraSource(parsing: "synthetic").resolved().standInReason == nil)
  }

  @Test(arguments: [
    ("", "write synthetic"), ("webcam", "'webcam' is no camera"), ("/dev/video0", "is no camera"),
    ("v4l2", "names no device"), ("v4l2:", "names no device"), ("v4l2:,640x480", "names no device"),
    ("v4l2:/dev/video0,640", "'640' is no size"), ("v4l2:/dev/video0,640x480@x", "no frame rate"),
    ("v4l2:/dev/video0,format=NOPE!", "no pixel format"),
    ("v4l2:/dev/video0,phase=2ms", "'phase'"), ("synthetic:9x9", "9x9"),
    ("synthetic:@1000", "1000"), ("files:", "names no folder"),
    ("files:/srv,@10001", "0.1 to 10000"),
    ("files:/srv,format=YUYV", "do not say their size"), ("files:/srv,loop=off", "'loop'"),
    ("files:/srv,8x8,format=PWC1", "PWC1"), ("synthetic:colour=red", "'colour'"),
    ("auto:zoom=2", "'zoom'"),
  ])
  func `The error for a bad specification says what is wrong`(text: String, hint: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try CameraSource(parsing: text) }
    #expect(error.message.contains(hint))
  }
}
