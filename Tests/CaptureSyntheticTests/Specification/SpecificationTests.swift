import Capture
import Imaging
import Testing

@testable import CaptureSynthetic

struct SpecificationTests {
  @Test func `An empty text means the default camera`() throws {
    let specification = try SyntheticSpecification.parse("")
    #expect(specification == SyntheticSpecification())
    #expect(specification.size == ImageSize(width: 1280, height: 720))
    #expect(specification.pixelFormat == .mjpeg && specification.framesPerSecond == 30)
  }

  @Test(arguments: [
    "1920x1080", "@60", "640x480@15", "1920x1080@30,format=MJPG", "format=Z16",
    "@29.97,format=RG10,phase=2ms,clock_offset=-1ms,clock_drift=50ppm,quality=60,caption=off",
    "4096x2304@1,phase=-500us,clock_drift=-0.5ppm", "160x120@240,phase=3s,clock_offset=7ns",
  ])
  func `A specification can be read from its own text`(text: String) throws {
    let specification = try SyntheticSpecification.parse(text)
    #expect(try SyntheticSpecification.parse(specification.text) == specification)
  }

  @Test func `Every part of a specification is applied`() throws {
    let specification = try SyntheticSpecification.parse(
      "640x480@15,format=NV12,phase=2ms,clock_offset=-3us,clock_drift=50ppm,quality=60,caption=off"
    )
    var expected = SyntheticSpecification()
    expected.size = ImageSize(width: 640, height: 480)
    expected.framesPerSecond = 15
    expected.pixelFormat = .nv12
    expected.phase = 2_000_000
    expected.clock = CameraClock(offset: -3000, drift: 50)
    expected.quality = 60
    expected.showsCaption = false
    #expect(specification == expected)
  }

  @Test(arguments: [
    ("8192x2304", CaptureError.Code.unsupportedFormat, "8192x2304"),
    ("641x480", .unsupportedFormat, "641x480"),
    ("96x64", .unsupportedFormat, "160x120"),
    ("@500", .unsupportedFormat, "500.0 frames a second: choose 1 to 240"),
    ("@0.5", .unsupportedFormat, "0.5"),
    ("format=H264", .unsupportedFormat, "MJPG, YUYV"),
    ("640x480,phase=2", .invalidArgument, "'2'"),
    ("phase=xms", .invalidArgument, "xms"),
    ("phase=1e30s", .invalidArgument, "1e30s"),
    ("clock_drift=50", .invalidArgument, "ppm"),
    ("quality=0", .invalidArgument, "1 to 100"),
    ("caption=maybe", .invalidArgument, "on or off"),
    ("colour=red", .invalidArgument, "colour"),
  ])
  func `An invalid specification is refused, and the error quotes the wrong part`(
    text: String,
    code: CaptureError.Code,
    part: String
  ) throws {
    let error = try #require(throws: CaptureError.self) { try SyntheticSpecification.parse(text) }
    #expect(error.code == code)
    #expect(error.message.contains(part))
    #expect(error.part != nil)
  }
}
