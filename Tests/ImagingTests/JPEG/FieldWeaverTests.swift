import Imaging
import TestSupport
import Testing

struct FieldWeaverTests {
  private let size = ImageSize(width: 64, height: 48)

  /// The fields of a picture whose rows get darker downwards; the first has the upper rows.
  private func fields() throws -> [[UInt8]] {
    let half = ImageSize(width: size.width, height: size.height / 2)
    let layout = try ImageLayout(size: half, pixelFormat: .grey, range: .full)
    return try (0..<2).map { field in
      let rows = (0..<half.height).map { UInt8(4 * (2 * $0 + field)) }
      let pixels = rows.flatMap { [UInt8](repeating: $0, count: size.width) }
      return try JPEGEncoder().encode(pixels, layout, quality: 100)
    }
  }

  private func weave(_ bytes: [UInt8]) throws -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: 3 * size.width * size.height)
    var span = pixels.mutableSpan
    var output = unsafe span.mutableBytes
    _ = try unsafe FieldWeaver().weave(bytes.span.bytes, size, into: &output)
    return (0..<size.height).map { pixels[3 * size.width * $0] }
  }

  private func isFalling(_ rows: [UInt8]) -> Bool {
    rows.indices.allSatisfy { abs(Int(rows[$0]) - 4 * $0) < 3 }
  }

  @Test(arguments: [0, 1, 500])
  func `Rows alternate between the fields, whatever is between those`(padding: Int) throws {
    let fields = try fields()
    let between = [UInt8](repeating: 0xff, count: padding)
    #expect(isFalling(try weave(fields[0] + between + fields[1] + [0, 0, 0])))
  }

  @Test func `A first field that says that it is the lower one is`() throws {
    let fields = try fields()
    let lower: [UInt8] = [0xff, 0xe0, 0, 8] + Array("AVI1".utf8) + [2, 0]
    let marked = fields[1][..<2] + lower + fields[1][2...]
    #expect(isFalling(try weave(Array(marked) + fields[0])))
    #expect(!isFalling(try weave(fields[1] + fields[0])))
  }

  @Test func `One field, and fields of another size, are refused`() throws {
    let fields = try fields()
    #expect(throws: ImagingError.self) { try weave(fields[0]) }
    #expect(throws: ImagingError.self) { try weave(fields[0] + fields[1].prefix(30)) }
    let whole = try TestJPEG.bars(size)
    #expect(throws: ImagingError.self) { try weave(whole + whole) }
  }
}
