@testable import Imaging
import TestSupport
import Testing

struct JPEGScalerTests {
  private let scaler: JPEGScaler
  private let size = ImageSize(width: 320, height: 240)

  init() throws {
    scaler = try JPEGScaler()
  }

  @Test(
    arguments: [PixelFormat.yuyv, .yu12, .grey],
    ImageSize.each((320, 240), (160, 120), (107, 77), (200, 240), (80, 60), (64, 30), (97, 33))
  )
  func `A smaller JPEG has the requested size and the same colours`(
    format: PixelFormat,
    target: ImageSize
  ) throws {
    let picture = try Picture(scaler.scale(TestJPEG.bars(size, format), to: target))
    #expect(picture.size == target)
    let colors = format == .grey ? Color.bars.map(\.grey) : Color.bars
    for (index, color) in colors.enumerated() {
      let found = picture.barColor(index, of: colors.count)
      #expect(found.distance(to: color) <= 6, "bar \(index): \(found), not \(color)")
    }
  }

  @Test(
    arguments: [
      ChromaSubsampling.grey, .yuv444, .yuv422, .yuv420, .yuv440, .yuv411,
    ],
    ImageSize.each((1, 1), (37, 23), (64, 64))
  )
  func `Every chroma subsampling is kept at every size`(
    subsampling: ChromaSubsampling,
    target: ImageSize
  ) throws {
    let jpeg = try flatJPEG(ImageSize(width: 75, height: 81), subsampling)
    let scaled = try scaler.scale(jpeg, to: target)
    let header = try JPEGHeader.read(scaled)
    #expect(header.size == target)
    #expect(header.subsampling == subsampling)
    let expected = try Picture(jpeg).color(0, 0)
    let picture = try Picture(scaled)
    for (x, y) in [(0, 0), (target.width - 1, target.height - 1)] {
      #expect(picture.color(x, y).distance(to: expected) <= 3)
    }
  }

  /// A JPEG of one colour in any subsampling. No camera format has all of them.
  private func flatJPEG(_ size: ImageSize, _ subsampling: ChromaSubsampling) throws -> [UInt8] {
    let buffer = PlaneBuffer()
    let planes = unsafe buffer.planes(size, subsampling)
    let padded = subsampling.paddedSize(size)
    unsafe planes.luma.start.update(repeating: 120, count: padded.width * padded.height)
    if let (blue, red) = unsafe planes.chroma {
      unsafe blue.start.update(repeating: 90, count: blue.size.width * blue.size.height)
      unsafe red.start.update(repeating: 170, count: red.size.width * red.size.height)
    }
    var output = [UInt8](repeating: 0, count: JPEGEncoder.maximumByteCount(for: size))
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let converter = PlaneConverter()
    let byteCount = try unsafe JPEGCompressor()
      .compress(size, subsampling, quality: 95, into: &bytes) { rows in
        unsafe converter.convert(planes.readable.rows(rows), range: .full, matrix: .bt601)
      }
    return Array(output[..<byteCount])
  }

  @Test func `A JPEG is never scaled up`() throws {
    let target = ImageSize(width: 640, height: 120)
    let scaled = try scaler.scale(TestJPEG.bars(size), to: target)
    #expect(try JPEGHeader.read(scaled).size == ImageSize(width: 320, height: 120))
  }

  @Test func `Too little room is refused`() throws {
    let jpeg = try TestJPEG.bars(size)
    let error = #expect(throws: ImagingError.self) {
      try scaler.scale(jpeg, to: ImageSize(width: 160, height: 120), capacity: 1000)
    }
    #expect(error?.code == .shortOutput)
  }

  @Test(arguments: [(0, 0), (-1, 20), (20_000, 20_000)])
  func `An invalid target size is refused`(width: Int, height: Int) throws {
    let jpeg = try TestJPEG.bars(size)
    let error = #expect(throws: ImagingError.self) {
      try scaler.scale(jpeg, to: ImageSize(width: width, height: height), capacity: 1000)
    }
    #expect(error?.code == .invalidSize)
  }

  @Test func `A truncated JPEG is refused, and the next one is scaled`() throws {
    let jpeg = try TestJPEG.bars(size)
    let target = ImageSize(width: 160, height: 120)
    let error = #expect(throws: ImagingError.self) {
      try scaler.scale(Array(jpeg[..<(jpeg.count / 2)]), to: target)
    }
    #expect(error?.code == .truncated)
    #expect(try JPEGHeader.read(scaler.scale(jpeg, to: target)).size == target)
  }

  @Test func `Hostile bytes never end the process`() throws {
    var random = SeededGenerator(for: "hostile JPEGs to scale")
    let small = try TestJPEG.bars(ImageSize(width: 47, height: 31))
    for _ in 0..<500 {
      let bytes = HostileBytes.next(small, &random)
      do throws(ImagingError) {
        let scaled = try scaler.scale(bytes, to: ImageSize(width: 20, height: 13))
        #expect(unsafe JPEGIntegrity.check(scaled.span.bytes) != .notJPEG, "\(random)")
      } catch {
        #expect(!error.message.isEmpty, "\(random)")
      }
    }
  }
}
