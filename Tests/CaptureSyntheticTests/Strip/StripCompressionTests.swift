import Capture
import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import CaptureSynthetic

/// Tests the strip after JPEG compression, as in MJPEG and scaled previews.
struct StripCompressionTests {
  private static let strip = FrameStrip(
    number: 0x0123_4567_89AB_CDEF,
    timestamp: MonotonicTime(nanoseconds: 987_654_321_012_345)
  )

  /// Encodes a picture of colour bars with the strip as JPEG, decodes it and reads the strip.
  private func read(
    _ size: ImageSize,
    _ format: PixelFormat,
    quality: Int,
    scaledTo target: ImageSize
  ) throws -> FrameStrip? {
    var canvas = try Canvas(size, format)
    canvas.paint { raster, memory in
      Background(PictureSettings(), raster: raster).paint(into: &memory)
      Self.strip.paint(with: raster, into: &memory)
    }
    let jpeg = try JPEGEncoder()
      .encode(canvas.bytes, canvas.layout, scaledTo: target, quality: quality)
    let (decodedSize, pixels) = try unsafe JPEGDecoder().decodeRGB(jpeg.span.bytes)
    #expect(decodedSize == target)
    let layout = try ImageLayout(size: target, pixelFormat: .rgb24)
    return unsafe FrameStrip.read(pixels.span.bytes, layout: layout)
  }

  @Test(arguments: rawFormats.filter(\.isEncodable), [50, 75, 95])
  func `The strip survives JPEG in every encodable format`(
    format: PixelFormat,
    quality: Int
  ) throws {
    for size in FrameStripTests.sizes {
      #expect(try read(size, format, quality: quality, scaledTo: size) == Self.strip)
    }
  }

  @Test(
    arguments: [.yu12, .bayerRGGB8, .bayerRGGB12P, .y16, .z16] as [PixelFormat],
    FrameStripTests.sizes)
  func `The strip survives JPEG of quality 50 at half the size`(
    format: PixelFormat, size: ImageSize
  ) throws {
    let half = ImageSize(width: size.width / 2, height: size.height / 2)
    #expect(try read(size, format, quality: 50, scaledTo: half) == Self.strip)
  }

  @Test(arguments: ["160x120@100", "640x360@50", "1280x720@10,quality=50"])
  func `A camera's MJPEG has each frame's number and time`(specification: String) async throws {
    try await Rig.run(specification) { rig in
      for picture in await rig.receiver.pictures(2) {
        #expect(picture.layout.pixelFormat == .mjpeg)
        let strip = try #require(try picture.decoded().strip)
        #expect(strip.number == picture.metadata.sequence)
        #expect(strip.timestamp == picture.metadata.timestamp)
      }
    }
  }
}
