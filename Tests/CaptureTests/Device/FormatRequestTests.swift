import Capture
import Imaging
import Testing

struct FormatRequestTests {
  @Test(arguments: [
    ("", FormatRequest()),
    ("1280x720", FormatRequest(size: ImageSize(width: 1280, height: 720))),
    ("@30", FormatRequest(framesPerSecond: 30)),
    ("@30000/1001", FormatRequest(framesPerSecond: 30000.0 / 1001)),
    ("format=YUYV", FormatRequest(pixelFormat: .yuyv)),
    (
      "640x480@12.5,format=MJPG",
      FormatRequest(
        pixelFormat: .mjpeg,
        size: ImageSize(width: 640, height: 480),
        framesPerSecond: 12.5
      )
    ),
  ])
  func `A specification is read as the request that it describes`(
    text: String, expected: FormatRequest
  ) throws {
    let (request, options) = try FormatRequest.parse(text)
    #expect(request == expected && options.isEmpty)
  }

  @Test func `Other options are left to the backend`() throws {
    let (request, options) = try FormatRequest.parse("@5,phase=2ms,format=GREY,note=a=b")
    #expect(request == FormatRequest(pixelFormat: .grey, framesPerSecond: 5))
    #expect(options == ["phase": "2ms", "note": "a=b"])
  }

  @Test(arguments: [
    ("1280", CaptureError.Part.size, "1280"), ("1280x", .size, "1280x"), ("0x720", .size, "0x720"),
    ("1280x720x3", .size, "1280x720x3"), ("-4x5", .size, "-4x5"), ("99999x5", .size, "99999x5"),
    ("1280X720", .size, "1280X720"), ("640x480@", .rate, "''"), ("@fast", .rate, "fast"),
    ("@0", .rate, "'0'"), ("@-5", .rate, "-5"), ("@30/0", .rate, "30/0"),
    ("@inf", .rate, "inf"), ("format=LONGNAME", .format, "LONGNAME"), ("@5,", .option(""), "''"),
    ("@5,640x480", .option("640x480"), "640x480"), ("@5,=3", .option(""), "=3"),
    ("@5,phase=", .option("phase"), "phase="),
    ("phase=1,phase=2", .option("phase"), "twice"),
    ("format=GREY,format=YUYV", .option("format"), "twice"),
  ])
  func `An error quotes the wrong part and names it`(
    text: String,
    part: CaptureError.Part,
    quoted: String
  ) throws {
    let error = try #require(throws: CaptureError.self) { try FormatRequest.parse(text) }
    #expect(error.code == .invalidArgument && error.part == part)
    #expect(error.message.contains(quoted))
  }

  @Test(
    arguments: [
      (30, 30, 1), (29.97, 30_000, 1001), (23.976, 24_000, 1001), (59.94, 60_000, 1001),
      (12.5, 12_500, 1000), (240, 240, 1), (0.5, 500, 1000),
    ] as [(Double, UInt32, UInt32)]
  )
  func `A decimal rate becomes the fraction that drivers use`(
    rate: Double,
    numerator: UInt32,
    denominator: UInt32
  ) {
    #expect(FrameRate(framesPerSecond: rate) == FrameRate(numerator, over: denominator))
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e9, 0.0001] as [Double])
  func `A rate that no camera has is refused`(rate: Double) {
    #expect(FrameRate(framesPerSecond: rate) == nil)
  }
}
