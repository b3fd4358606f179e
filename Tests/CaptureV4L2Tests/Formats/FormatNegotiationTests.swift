import Capture
import Imaging
import Testing

@testable import CaptureV4L2

@Suite struct FormatNegotiationTests {
  private static func offer(
    _ format: PixelFormat,
    _ width: Int,
    _ height: Int,
    _ rates: [UInt32]
  ) -> CameraFormat {
    CameraFormat(
      pixelFormat: format,
      size: ImageSize(width: width, height: height),
      frameRates: rates.compactMap { FrameRate($0) },
      summary: format.name
    )
  }

  /// A typical webcam, which is slow in large raw formats.
  private static let webcam = FormatNegotiation(
    offers: [
      offer(.yuyv, 640, 480, [30, 15]), offer(.yuyv, 1280, 720, [10, 5]),
      offer(.yuyv, 1920, 1080, [5]), offer(.mjpeg, 640, 480, [30]),
      offer(.mjpeg, 1280, 720, [60, 30, 15]), offer(.mjpeg, 1920, 1080, [30]),
      offer(.mjpeg, 3840, 2160, [30]),
    ],
    undeliverable: [PixelFormat(rawValue: 0x3436_324d)]
  )

  struct Case: CustomTestStringConvertible {
    var name: String
    var request: FormatRequest
    var format: PixelFormat
    var size: ImageSize
    var rate: Double?
    var testDescription: String { name }
  }

  private static func wish(
    _ format: PixelFormat? = nil,
    _ size: (Int, Int)? = nil,
    _ rate: Double? = nil
  ) -> FormatRequest {
    FormatRequest(
      pixelFormat: format,
      size: size.map { ImageSize(width: $0.0, height: $0.1) },
      framesPerSecond: rate
    )
  }

  private static let hd = ImageSize(width: 1280, height: 720)
  private static let vga = ImageSize(width: 640, height: 480)
  private static let fullHD = ImageSize(width: 1920, height: 1080)

  @Test(
    "The request is met exactly, and open values are chosen well",
    arguments: [
      Case(name: "all open", request: wish(), format: .mjpeg, size: hd, rate: 30),
      Case(name: "raw", request: wish(.yuyv), format: .yuyv, size: hd, rate: 10),
      Case(name: "small", request: wish(nil, (640, 480)), format: .yuyv, size: vga, rate: 30),
      Case(name: "large", request: wish(nil, (1920, 1080)), format: .mjpeg, size: fullHD, rate: 30),
      Case(name: "fast", request: wish(nil, nil, 60), format: .mjpeg, size: hd, rate: 60),
      Case(name: "slow", request: wish(nil, nil, 5), format: .yuyv, size: hd, rate: 5),
      Case(name: "15", request: wish(nil, (640, 480), 15), format: .yuyv, size: vga, rate: 15),
      Case(
        name: "29.97 is 30",
        request: wish(.yuyv, nil, 29.97),
        format: .yuyv,
        size: vga,
        rate: 30
      ),
    ]
  )
  func choice(_ wanted: Case) throws {
    let choice = try Self.webcam.choose(wanted.request)
    #expect(choice.format.pixelFormat == wanted.format)
    #expect(choice.format.size == wanted.size)
    #expect(choice.rate?.framesPerSecond == wanted.rate)
  }

  @Test("Without 1280x720 the largest size up to 1920x1080 is chosen, otherwise the smallest")
  func openSize() throws {
    let odd = FormatNegotiation(offers: [
      Self.offer(.yuyv, 320, 240, [30]), Self.offer(.yuyv, 1600, 896, [30]),
      Self.offer(.yuyv, 2592, 1944, [30]),
    ])
    #expect(try odd.choose(FormatRequest()).format.size == ImageSize(width: 1600, height: 896))
    let large = FormatNegotiation(offers: [
      Self.offer(.yuyv, 4000, 3000, [30]), Self.offer(.yuyv, 2592, 1944, [30]),
    ])
    #expect(try large.choose(FormatRequest()).format.size == ImageSize(width: 2592, height: 1944))
  }

  @Test("A format that needs conversion is chosen only when there is no other")
  func conversion() throws {
    let rgb = Self.offer(.rgb565, 640, 480, [30])
    let grey = Self.offer(.grey, 640, 480, [10])
    let both = FormatNegotiation(offers: [rgb, grey])
    #expect(try both.choose(FormatRequest()).format.pixelFormat == .grey)
    let one = FormatNegotiation(offers: [rgb])
    #expect(try one.choose(FormatRequest()).format.pixelFormat == .rgb565)
  }

  @Test(
    "A format of sensors is chosen only by its name or when there is no other",
    arguments: [PixelFormat.mjpeg, .yuyv, .rgb565])
  func sensors(usual: PixelFormat) throws {
    let sensors = [
      Self.offer(.z16, 1280, 720, [90]), Self.offer(.bayerBGGR10P, 1280, 720, [30]),
      Self.offer(.y16, 1920, 1080, [30]),
    ]
    let camera = FormatNegotiation(offers: sensors + [Self.offer(usual, 640, 480, [10])])
    #expect(try camera.choose(FormatRequest()).format.pixelFormat == usual)
    #expect(try camera.choose(Self.wish(.y16)).format.size == Self.fullHD)
    let bare = FormatNegotiation(offers: sensors)
    #expect(try bare.choose(FormatRequest()).format.pixelFormat == .bayerBGGR10P)
  }

  @Test(
    "Video is chosen only by its name or when there is nothing else but distances",
    arguments: [PixelFormat.h264, .hevc])
  func video(format: PixelFormat) throws {
    let video = Self.offer(format, 1280, 720, [30])
    for usual in [PixelFormat.mjpeg, .yuyv, .rgb565, .bayerBGGR10P] {
      let camera = FormatNegotiation(offers: [video, Self.offer(usual, 320, 240, [5])])
      #expect(try camera.choose(FormatRequest()).format.pixelFormat == usual)
      #expect(try camera.choose(Self.wish(format)).format == video)
    }
    let bare = FormatNegotiation(offers: [Self.offer(.z16, 640, 480, [90]), video])
    #expect(try bare.choose(FormatRequest()).format == video)
    #expect(StreamConversion.isPossible(of: format))
  }

  @Test("If all rates are above 30, the slowest is chosen")
  func highSpeed() throws {
    let fast = FormatNegotiation(offers: [Self.offer(.mjpeg, 640, 480, [240, 120, 60])])
    #expect(try fast.choose(FormatRequest()).rate?.framesPerSecond == 60)
  }

  @Test("A driver without rates is accepted unless a rate is requested")
  func nameless() throws {
    let silent = FormatNegotiation(offers: [Self.offer(.yuyv, 640, 480, [])])
    #expect(try silent.choose(FormatRequest()).rate == nil)
    let error = #expect(throws: CaptureError.self) { try silent.choose(Self.wish(nil, nil, 30)) }
    #expect(error?.message.contains("leave the rate out") == true)
  }

  @Test(
    "What cannot be used is named, with its kind and what to take instead",
    arguments: [
      ("AVC1", "compressed video"), ("AV1F", "compressed video"),
      ("P010", "YUV of more than 8 bits"), ("NV15", "YUV of more than 8 bits"),
      ("QP0x", "neither the node nor libv4lconvert reads"),
      ("0x01020304", "neither the node nor libv4lconvert reads"),
    ])
  func unusable(name: String, kind: String) throws {
    let format = try #require(PixelFormat(name: name))
    var camera = Self.webcam
    camera.undeliverable = [format]
    let size = ImageSize(width: 1920, height: 1080)
    let listed = CameraFormat(pixelFormat: format, size: size, frameRates: [], summary: "")
      .unusable(beside: camera)
    #expect(listed.problem?.hasPrefix(kind) == true)
    #expect(listed.problem?.hasSuffix(": take 1920x1080 MJPG at 30/s") == true)
    let wish = FormatRequest(pixelFormat: format, size: size)
    let error = #expect(throws: CaptureError.self) { try camera.choose(wish) }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("the camera has \(name), which cannot be used (\(kind)"))
    #expect(
      message.hasSuffix("take 1920x1080 MJPG at 30/s, or another format of YUYV, MJPG"),
      "\(message)")
    // Of a size that no other format has, the usual one.
    let odd = FormatRequest(pixelFormat: format, size: ImageSize(width: 100, height: 100))
    let second = #expect(throws: CaptureError.self) { try camera.choose(odd) }
    #expect(second?.message.contains("take 1280x720 MJPG at 30/s") == true)
    let alone = FormatNegotiation(offers: [], undeliverable: [format])
    #expect(listed.unusable(beside: alone).problem?.hasSuffix("has nothing else") == true)
  }

  @Test(
    "The refusal of an impossible request names the nearest values",
    arguments: [
      (wish(.nv12), CaptureError.Part.format, "the camera has no NV12: it has YUYV, MJPG"),
      (
        wish(PixelFormat(rawValue: 0x3436_324d)), .format,
        "the camera has M264, which cannot be used (compressed video"
      ),
      (
        wish(.yuyv, (1000, 700)), .size,
        "YUYV has no size 1000x700: the nearest are 1280x720, 640x480, 1920x1080"
      ),
      (wish(.yuyv, (3840, 2160)), .size, "YUYV has no size 3840x2160"),
      (
        wish(.yuyv, (1280, 720), 30), .rate,
        "YUYV 1280x720 has no rate of 30: it has 10, 5 frames a second"
      ),
      (wish(nil, nil, 100), .rate, "the camera has no rate of 100: it has 60, 30, 15, 10, 5"),
      (wish(nil, nil, .nan), .rate, "the camera has no rate of nan"),
    ]
  )
  func refusal(request: FormatRequest, part: CaptureError.Part, words: String) {
    let error = #expect(throws: CaptureError.self) { try Self.webcam.choose(request) }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.part == part)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test("A refusal is short even if there are many formats")
  func brevity() {
    let offers = (0..<200).map { index in
      Self.offer(
        PixelFormat(rawValue: 0x3030_3030 + UInt32(index % 10) << 8),
        100 + index,
        100,
        [
          UInt32(index + 1)
        ]
      )
    }
    let many = FormatNegotiation(offers: offers)
    let requests = [Self.wish(.nv12), Self.wish(nil, (9, 9)), Self.wish(nil, nil, 4000)]
    for request in requests {
      let error = #expect(throws: CaptureError.self) { try many.choose(request) }
      #expect((error?.message.count ?? .max) <= 300)
    }
  }
}
