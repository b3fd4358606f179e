import Imaging
import TestSupport
import Testing

struct JPEGHuffmanTablesTests {
  private let jpeg: [UInt8]
  /// The same JPEG without tables, as in AVI's motion JPEG.
  private let bare: [UInt8]

  init() throws {
    jpeg = try TestJPEG.bars(ImageSize(width: 64, height: 48))
    bare = withoutHuffmanTables(jpeg)
  }

  @Test func `A JPEG without tables is complete and recognised as such`() throws {
    #expect(bare.count < jpeg.count)
    #expect(try !JPEGHeader.read(bare).hasHuffmanTables)
    #expect(unsafe JPEGIntegrity.check(bare.span.bytes) == .complete(byteCount: bare.count))
  }

  @Test func `A JPEG without tables is decoded with the standard ones`() throws {
    #expect(try Picture(bare).pixels == Picture(jpeg).pixels)
  }

  @Test func `The inserted tables equal the removed ones`() throws {
    let filled = try #require(withTables(bare))
    #expect(filled.count == bare.count + JPEGHuffmanTables.byteCount)
    #expect(try JPEGHeader.read(filled).hasHuffmanTables)
    #expect(withoutHuffmanTables(filled) == bare)
    #expect(Self.tables(filled) == Self.tables(jpeg))
    #expect(try Picture(filled).pixels == Picture(jpeg).pixels)
  }

  @Test func `Tables are missing only in a JPEG without them`() {
    #expect(unsafe JPEGHuffmanTables.areMissing(in: bare.span.bytes))
    #expect(unsafe !JPEGHuffmanTables.areMissing(in: jpeg.span.bytes))
    #expect(unsafe !JPEGHuffmanTables.areMissing(in: [1, 2, 3].span.bytes))
  }

  @Test func `No tables are inserted without a scan`() {
    #expect(withTables([1, 2, 3]) == nil)
    #expect(withTables(Array(bare[..<20])) == nil)
  }

  private func withTables(_ image: [UInt8]) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: image.count + JPEGHuffmanTables.byteCount)
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let count = unsafe JPEGHuffmanTables.insert(into: image.span.bytes, writing: &bytes)
    return count.map { Array(output[..<$0]) }
  }

  /// The tables by their class and number, from one or more segments.
  private static func tables(_ jpeg: [UInt8]) -> [UInt8: [UInt8]] {
    var (tables, index): ([UInt8: [UInt8]], Int) = ([:], 2)
    while jpeg[index + 1] != 0xda {
      let end = index + 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
      var table = index + 4
      while jpeg[index + 1] == 0xc4, table < end {
        let count = 17 + jpeg[(table + 1)..<(table + 17)].reduce(0) { $0 + Int($1) }
        tables[jpeg[table]] = Array(jpeg[table..<(table + count)])
        table += count
      }
      index = end
    }
    return tables
  }
}
