import Imaging
import TestSupport
import Testing

struct JPEGEncoderRefusalTests {
  private let encoder: JPEGEncoder
  private let size = ImageSize(width: 64, height: 48)

  init() throws {
    encoder = try JPEGEncoder()
  }

  @Test(arguments: PixelFormat.encodable)
  func `A partly filled buffer is refused`(format: PixelFormat) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format)
    let short = Array(TestPicture.bars(layout).dropLast())
    let error = #expect(throws: ImagingError.self) { try encoder.encode(short, layout) }
    #expect(error?.code == .shortInput)
    let empty = #expect(throws: ImagingError.self) { try encoder.encode([], layout) }
    #expect(empty?.code == .shortInput)
  }

  @Test(arguments: [0, 1, 6000])
  func `Too little room is refused before anything is written`(capacity: Int) throws {
    let layout = try ImageLayout(size: size, pixelFormat: .yuyv)
    let picture = TestPicture.bars(layout)
    var output = [UInt8](repeating: 7, count: capacity)
    let error = #expect(throws: ImagingError.self) {
      var span = output.mutableSpan
      var bytes = unsafe span.mutableBytes
      _ = try unsafe encoder.encode(picture.span.bytes, layout: layout, quality: 90, into: &bytes)
    }
    #expect(error?.code == .shortOutput)
    #expect(output.allSatisfy { $0 == 7 })
  }

  @Test func `A smaller picture needs less room`() throws {
    let layout = try ImageLayout(size: size, pixelFormat: .yuyv)
    let target = ImageSize(width: 16, height: 12)
    let capacity = JPEGEncoder.maximumByteCount(for: target)
    #expect(capacity < JPEGEncoder.maximumByteCount(for: size))
    let jpeg = try encoder.encode(
      TestPicture.bars(layout),
      layout,
      scaledTo: target,
      capacity: capacity
    )
    #expect(try Picture(jpeg).size == target)
  }

  @Test(arguments: [PixelFormat.rgb565, .rgb32, .xbgr32])
  func `The error for a format that needs conversion names it`(format: PixelFormat) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format)
    let picture = [UInt8](repeating: 0, count: layout.byteCount)
    let error = #expect(throws: ImagingError.self) { try encoder.encode(picture, layout) }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.contains(format.name) == true)
    #expect(!format.isEncodable)
  }

  @Test func `A JPEG is refused as input`() {
    let layout = ImageLayout.compressed(.mjpeg, size: size)
    let error = #expect(throws: ImagingError.self) {
      try encoder.encode([0xff, 0xd8], layout)
    }
    #expect(error?.code == .unsupportedFormat)
  }

  @Test(arguments: [(0, 10), (10, 0), (-1, -1)])
  func `A target without pixels is refused`(width: Int, height: Int) throws {
    let layout = try ImageLayout(size: size, pixelFormat: .yuyv)
    let target = ImageSize(width: width, height: height)
    let error = #expect(throws: ImagingError.self) {
      try encoder.encode(TestPicture.bars(layout), layout, scaledTo: target)
    }
    #expect(error?.code == .invalidSize)
  }

  @Test func `An invalid size has no maximum byte count`() {
    #expect(JPEGEncoder.maximumByteCount(for: ImageSize(width: 0, height: 0)) == 0)
    #expect(JPEGEncoder.maximumByteCount(for: ImageSize(width: .max, height: 1)) == 0)
  }
}
