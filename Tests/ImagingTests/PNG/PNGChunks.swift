/// The chunks of a PNG in their order.
struct PNGChunks {
  struct Chunk: Equatable {
    var name: String
    var bytes: [UInt8]
  }

  let chunks: [Chunk]

  /// Nil if the chunks do not fill the file.
  init?(_ png: [UInt8]) {
    guard png.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { return nil }
    var chunks: [Chunk] = []
    var position = 8
    while position + 12 <= png.count {
      let length = png[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard position + 12 + length <= png.count else { return nil }
      let name = String(decoding: png[position + 4..<position + 8], as: UTF8.self)
      chunks.append(Chunk(name: name, bytes: Array(png[position + 8..<position + 8 + length])))
      position += 12 + length
    }
    guard position == png.count, chunks.last?.name == "IEND" else { return nil }
    self.chunks = chunks
  }

  subscript(name: String) -> [UInt8]? { chunks.first { $0.name == name }?.bytes }
}
