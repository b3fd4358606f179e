import Imaging
import Testing

@testable import Capture

struct SessionPresetTests {
  private func format(
    _ name: PixelFormat, _ width: Int, _ height: Int, _ rates: [UInt32]
  ) -> CameraFormat {
    CameraFormat(
      pixelFormat: name, size: ImageSize(width: width, height: height),
      frameRates: rates.compactMap { FrameRate($0) }, summary: "")
  }

  /// Those of a usual USB camera.
  private var formats: [CameraFormat] {
    [
      format(.yuyv, 640, 480, [30, 15]), format(.yuyv, 320, 240, [30]),
      format(.yuyv, 1280, 720, [10]), format(.mjpeg, 640, 480, [30]),
      format(.mjpeg, 1280, 720, [30, 60].sorted(by: >)), format(.mjpeg, 1920, 1080, [30]),
      format(.yuyv, 2592, 1944, [2]),
    ]
  }

  @Test(
    arguments: [
      (.photo, "YUYV 2592x1944"), (.high, "MJPG 1920x1080"), (.medium, "MJPG 640x480"),
      (.low, "YUYV 320x240"), (.hd1280x720, "MJPG 1280x720"), (.hd1920x1080, "MJPG 1920x1080"),
      (.hd3840x2160, nil),
    ] as [(SessionPreset, String?)])
  func `A preset stands for the best format`(preset: SessionPreset, words: String?) {
    let choice = preset.choice(of: formats)
    #expect(choice.map { "\($0.pixelFormat.name) \($0.size.width)x\($0.size.height)" } == words)
  }

  @Test func `A format of sensors is chosen only if there is no other`() {
    let sensors = [format(.bayerRGGB10P, 4000, 3000, [60]), format(.z16, 640, 480, [90])]
    for preset in [SessionPreset.photo, .high, .medium] {
      #expect(preset.choice(of: sensors + formats) == preset.choice(of: formats))
    }
    #expect(SessionPreset.hd3840x2160.choice(of: sensors + formats) == nil)
    #expect(SessionPreset.photo.choice(of: sensors)?.pixelFormat == .bayerRGGB10P)
    #expect(SessionPreset.medium.choice(of: sensors)?.pixelFormat == .z16)
  }

  @Test func `Video is chosen only if there is nothing else`() {
    let video = [format(.h264, 3840, 2160, [30])]
    for preset in [SessionPreset.photo, .high, .medium] {
      #expect(preset.choice(of: video + formats) == preset.choice(of: formats))
      #expect(preset.choice(of: video)?.pixelFormat == .h264)
    }
  }

  @Test func `A slow camera has its best format for movies too`() {
    let slow = [format(.yuyv, 640, 480, [5]), format(.yuyv, 320, 240, [10])]
    #expect(SessionPreset.high.choice(of: slow)?.size.width == 640)
    #expect(SessionPreset.high.choice(of: []) == nil)
    let large = [format(.mjpeg, 1280, 720, [30]), format(.mjpeg, 1920, 1080, [30])]
    #expect(SessionPreset.low.choice(of: large)?.size.width == 1280)
  }

  private func request(_ change: SessionConfiguration) throws(CaptureError) -> FormatRequest {
    try change.request(
      from: FormatRequest(pixelFormat: .yuyv, size: ImageSize(width: 640, height: 480)),
      running: nil, among: { formats })
  }

  @Test func `What is named comes before the preset, and the rest stays`() throws {
    var change = SessionConfiguration()
    change.preset = .high
    change.pixelFormat = .yuyv
    #expect(try request(change).size == ImageSize(width: 640, height: 480))
    change.preset = .inputPriority
    change.pixelFormat = nil
    #expect(try request(change).pixelFormat == .yuyv)
    change.preset = .photo
    change.size = ImageSize(width: 15, height: 15)
    let error = #expect(throws: CaptureError.self) { try request(change) }
    #expect(error?.part == .preset && error?.code == .unsupportedFormat)
  }

  @Test func `The fastest rate of a range is taken`() throws {
    var change = SessionConfiguration()
    change.rates = 10...20
    #expect(try request(change).framesPerSecond == 15)
    change.rates = 10...60
    #expect(try request(change).framesPerSecond == 30)
    change.rates = 29.97...29.97
    #expect(try request(change).framesPerSecond == 29.97, "a camera may have more than it lists")
    change.rates = 40...50
    #expect(#expect(throws: CaptureError.self) { try request(change) }?.part == .rate)
  }
}
