import Capture
import Imaging
import TestSupport
import Testing

@testable import Recording

@Suite struct VideoCoderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [PixelFormat.yuyv, .uyvy, .nv12, .yu12, .yuv422p, .grey, .mjpeg])
  func `Another program decodes the pictures that went in`(format: PixelFormat) throws {
    let scene = try Scene(format)
    let pictures = try scene.coded(30)
    #expect(pictures.count == 30)
    try folder.write(pictures.flatMap(\.bytes), to: "stream.h264")
    let decoded = try decodedLuma(of: folder.path + "/stream.h264", size: scene.layout.size)
    #expect(decoded.count == 30)
    for (index, luma) in decoded.enumerated() {
      let difference = meanDifference(luma, scene.luma(index))
      #expect(difference < 4, "picture \(index) differs by \(difference)")
    }
  }

  @Test func `A picture says whether a decoder can begin with it, and whose it is`() throws {
    let pictures = try Scene().coded(30, keyEvery: 10)
    #expect(pictures.map { $0.metadata.dependence == .key } == (0..<30).map { $0 % 10 == 0 })
    #expect(pictures.map(\.metadata.sequence) == Array(1...30))
    #expect(pictures.allSatisfy { $0.layout.pixelFormat == .h264 })
    // A decoder begins with a key picture, without what came before it.
    try folder.write(pictures[20...].flatMap(\.bytes), to: "late.h264")
    let decoded = try decodedLuma(of: folder.path + "/late.h264", size: .small)
    #expect(decoded.count == 10)
  }

  @Test func `A damaged frame costs itself, and what follows is decoded`() throws {
    let (scene, coder) = (try Scene(.mjpeg), VideoCoder(VideoKind()))
    var pictures: [Frame] = []
    for index in 0..<10 {
      let outcome = coder.code(
        try scene.frame(index, damaged: index == 4), isKey: index == 0, framesPerSecond: 25)
      #expect((outcome.error != nil) == (index == 4))
      pictures += outcome.pictures
    }
    #expect(pictures.map(\.metadata.sequence) == [1, 2, 3, 4, 6, 7, 8, 9, 10])
    try folder.write(pictures.flatMap(\.bytes), to: "stream.h264")
    let decoded = try decodedLuma(of: folder.path + "/stream.h264", size: .small)
    #expect(decoded.count == 9)
    #expect(meanDifference(decoded[8], scene.luma(9)) < 4)
  }

  @Test func `A video is turned and scaled down, and an odd size loses its last column and row`()
    throws
  {
    let bound = VideoKind(
      fitting: ImageSize(width: 80, height: 80), orientation: Orientation(.quarter))
    #expect(try Scene().coded(2, bound)[0].layout.size == ImageSize(width: 60, height: 80))
    for format in [PixelFormat.grey, .mjpeg] {
      let scene = try Scene(format, size: ImageSize(width: 161, height: 121))
      let pictures = try scene.coded(3)
      #expect(pictures[0].layout.size == .small)
      try folder.write(pictures.flatMap(\.bytes), to: "odd.h264")
      let luma = try decodedLuma(of: folder.path + "/odd.h264", size: .small)
      let source = scene.luma(2)
      let cropped = (0..<120).flatMap { source[$0 * 161..<$0 * 161 + 160] }
      #expect(meanDifference(luma[2], cropped) < 4)
    }
  }

  @Test func `A bit rate bounds the size, and a better quality costs more`() throws {
    func size(_ settings: VideoSettings) throws -> Int {
      try Scene(.yuyv, size: ImageSize(width: 640, height: 480)).coded(
        60, VideoKind(settings: settings)
      )
      .reduce(0) { $0 + $1.byteCount }
    }
    let (low, high) = (try size(VideoSettings(quality: 30)), try size(VideoSettings(quality: 95)))
    #expect(low < high)
    // 60 frames at 25 a second are 2.4 s; the buffer holds a second more.
    #expect(try size(VideoSettings(bitRate: 100_000)) < 100_000 / 8 * 7 / 2)
  }

  @Test func `A picture of which no video can be made is an error with a remedy`() throws {
    let scene = try Scene(.yuyv, size: ImageSize(width: 2, height: 2))
    let outcome = VideoCoder(VideoKind()).code(
      try scene.frame(0), isKey: true, framesPerSecond: 25)
    if let error = outcome.error { #expect(error.message.contains("record MJPEG")) }
    #expect(outcome.error != nil || outcome.pictures.count == 1)
  }
}
