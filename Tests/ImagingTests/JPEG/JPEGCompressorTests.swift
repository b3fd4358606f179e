@testable import Imaging
import Testing

struct JPEGCompressorTests {
  private let compressor: JPEGCompressor
  private let converter = PlaneConverter()
  private let planes = PlaneBuffer()

  init() throws {
    compressor = try JPEGCompressor()
  }

  /// Compresses a picture of one grey and calls `strip` for each strip.
  private func compress(
    _ size: ImageSize,
    quality: Int = 80,
    capacity: Int? = nil,
    _ strip: (Range<Int>) throws(ImagingError) -> Void = { _ in }
  ) throws(ImagingError) -> [UInt8] {
    let source = unsafe planes.planes(size, .grey)
    unsafe source.luma.start.update(repeating: 100, count: size.width * size.height)
    var output = [UInt8](
      repeating: 0, count: capacity ?? JPEGEncoder.maximumByteCount(for: size))
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let byteCount = try unsafe compressor.compress(
      size, .grey, quality: quality, into: &bytes
    ) { (rows) throws(ImagingError) in
      try strip(rows)
      return unsafe converter.convert(
        source.readable.rows(rows), range: .full, matrix: .bt601)
    }
    return Array(output[..<byteCount])
  }

  @Test(arguments: ImageSize.each((16, 24), (16, 17), (5, 1)))
  func `Strips are requested in order, and each row once`(size: ImageSize) throws {
    var strips: [Range<Int>] = []
    let jpeg = try compress(size) { strips.append($0) }
    #expect(strips.flatMap { $0 } == Array(0..<size.height))
    #expect(strips.dropLast().allSatisfy { $0.count == 8 })
    #expect(try JPEGHeader.read(jpeg).size == size)
  }

  @Test func `An abandoned picture does not spoil the next one`() throws {
    let size = ImageSize(width: 64, height: 64)
    let expected = try compress(size)
    let error = #expect(throws: ImagingError.self) {
      try compress(size) { (rows) throws(ImagingError) in
        if rows.lowerBound == 32 { throw ImagingError(.corrupt, "enough") }
      }
    }
    #expect(error?.code == .corrupt)
    #expect(try compress(size) == expected)
  }

  @Test func `Too little room is refused before a strip is requested`() throws {
    var isAsked = false
    let error = #expect(throws: ImagingError.self) {
      try compress(ImageSize(width: 64, height: 64), capacity: 1000) { _ in isAsked = true }
    }
    #expect(error?.code == .shortOutput)
    #expect(!isAsked)
  }

  @Test(arguments: [-1, 0, 101, Int.max])
  func `An invalid quality becomes the nearest valid one`(quality: Int) throws {
    let size = ImageSize(width: 32, height: 16)
    let nearest = quality < 1 ? 1 : 100
    #expect(try compress(size, quality: quality) == compress(size, quality: nearest))
  }
}
