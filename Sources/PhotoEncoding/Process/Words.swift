/// Numbers of 32 bits with their low byte first.
enum Words {
  static func bytes(_ words: [UInt32]) -> [UInt8] {
    words.flatMap(bytes)
  }

  static func bytes(_ word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }

  /// The whole words in these bytes.
  static func read(_ bytes: [UInt8]) -> [UInt32] {
    stride(from: 0, to: bytes.count / 4 * 4, by: 4).map { start in
      bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
