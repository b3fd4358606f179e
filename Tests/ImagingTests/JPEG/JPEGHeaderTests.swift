import Imaging
import Testing

struct JPEGHeaderTests {
  @Test(arguments: [
    (PixelFormat.yuyv, ChromaSubsampling.yuv422, 3), (.nv12, .yuv420, 3), (.grey, .grey, 1),
  ])
  func `A JPEG's headers have its size and chroma`(
    format: PixelFormat,
    subsampling: ChromaSubsampling,
    componentCount: Int
  ) throws {
    let size = ImageSize(width: 123, height: 45)
    let header = try JPEGHeader.read(TestJPEG.bars(size, format))
    #expect(header.size == size)
    #expect(header.subsampling == subsampling)
    #expect(header.componentCount == componentCount)
    #expect(!header.isProgressive)
    #expect(header.hasHuffmanTables)
  }

  @Test func `A progressive frame is recognised`() throws {
    let header = try JPEGHeader.read(bytes(marker: 0xc2))
    #expect(header.isProgressive)
    #expect(header.size == ImageSize(width: 640, height: 480))
  }

  @Test(
    arguments: [
      ([0x22, 0x11, 0x11], ChromaSubsampling.yuv420), ([0x21, 0x11, 0x11], .yuv422),
      ([0x22, 0x12, 0x12], .yuv422), ([0x41, 0x11, 0x11], .yuv411), ([0x12, 0x11, 0x11], .yuv440),
      ([0x11, 0x11, 0x11], .yuv444), ([0x22], .grey), ([0x22, 0x11, 0x21], nil),
      ([0x32, 0x22, 0x22], nil), ([0x00, 0x00, 0x00], nil), ([0x11, 0x11, 0x11, 0x11], nil),
    ] as [([UInt8], ChromaSubsampling?)])
  func `Sampling factors become a subsampling if they divide evenly`(
    factors: [UInt8],
    subsampling: ChromaSubsampling?
  ) throws {
    let header = try JPEGHeader.read(bytes(factors: factors))
    #expect(header.subsampling == subsampling)
    #expect(header.componentCount == factors.count)
  }

  @Test(
    arguments: [
      ([], ImagingError.Code.notJPEG), (Array("text".utf8), .notJPEG),
      ([0xff, 0xd8, 0xff, 0xc0, 0, 17], .truncated), ([0xff, 0xd8, 0xff, 0xd9], .truncated),
      // A frame header without components, one that is too short for its three components, and a
      // missing one.
      ([0xff, 0xd8, 0xff, 0xc0, 0, 4, 8, 0, 0xff, 0xda, 0, 2], .corrupt),
      ([0xff, 0xd8, 0xff, 0xc0, 0, 8, 8, 1, 1, 1, 1, 3, 0xff, 0xda, 0, 2], .corrupt),
      ([0xff, 0xd8, 0xff, 0xda, 0, 2], .corrupt),
    ] as [([UInt8], ImagingError.Code)])
  func `Invalid headers are refused`(bytes: [UInt8], code: ImagingError.Code) {
    let error = #expect(throws: ImagingError.self) { try JPEGHeader.read(bytes) }
    #expect(error?.code == code)
  }

  @Test(arguments: [(0, 480), (640, 0), (16_385, 480), (640, 65_535)])
  func `An invalid size is refused`(width: Int, height: Int) {
    let size = ImageSize(width: width, height: height)
    let error = #expect(throws: ImagingError.self) {
      try JPEGHeader.read(bytes(size: size))
    }
    #expect(error?.code == .invalidSize)
  }

  /// A start of image, a frame header and the start of a scan.
  private func bytes(
    marker: UInt8 = 0xc0,
    size: ImageSize = ImageSize(width: 640, height: 480),
    factors: [UInt8] = [0x21, 0x11, 0x11]
  ) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }
    var bytes: [UInt8] = [0xff, 0xd8, 0xff, marker]
    bytes += word(8 + 3 * factors.count) + [8] + word(size.height) + word(size.width)
    bytes.append(UInt8(factors.count))
    for (index, factor) in factors.enumerated() { bytes += [UInt8(index + 1), factor, 0] }
    return bytes + [0xff, 0xda, 0, 2]
  }
}
