import Imaging
import Testing

struct JPEGHuffmanTablesTests {
  private let jpeg: [UInt8]
  /// As AVI's motion JPEG has it.
  private let bare: [UInt8]

  init() throws {
    jpeg = try TestJPEG.bars(ImageSize(width: 64, height: 48))
    bare = Self.withoutTables(jpeg)
  }

  private static func withoutTables(_ jpeg: [UInt8]) -> [UInt8] {
    var (result, index) = (Array(jpeg[..<2]), 2)
    while jpeg[index + 1] != 0xda {
      let end = index + 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
      if jpeg[index + 1] != 0xc4 { result += jpeg[index..<end] }
      index = end
    }
    return result + jpeg[index...]
  }

  @Test func `A JPEG without tables is whole, and known for it`() throws {
    #expect(bare.count < jpeg.count)
    #expect(try !JPEGHeader.read(bare).hasHuffmanTables)
    #expect(unsafe JPEGIntegrity.check(bare.span.bytes) == .complete(byteCount: bare.count))
  }

  @Test func `A JPEG without tables is decoded with the standard ones`() throws {
    #expect(try Picture(bare).pixels == Picture(jpeg).pixels)
  }

  @Test func `The tables put in are those that were left out`() throws {
    let filled = try unsafe JPEGHuffmanTables.inserted(into: bare.span.bytes)
    #expect(filled.count == bare.count + JPEGHuffmanTables.byteCount)
    #expect(try JPEGHeader.read(filled).hasHuffmanTables)
    #expect(Self.withoutTables(filled) == bare)
    #expect(Self.tables(filled) == Self.tables(jpeg))
    #expect(try Picture(filled).pixels == Picture(jpeg).pixels)
  }

  @Test func `A JPEG with tables stays as it is`() throws {
    #expect(try unsafe JPEGHuffmanTables.inserted(into: jpeg.span.bytes) == jpeg)
  }

  @Test func `Tables are not put into what is no JPEG`() {
    let error = #expect(throws: ImagingError.self) {
      try unsafe JPEGHuffmanTables.inserted(into: [1, 2, 3].span.bytes)
    }
    #expect(error?.code == .notJPEG)
  }

  /// Each table by its class and number, from however many segments.
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
