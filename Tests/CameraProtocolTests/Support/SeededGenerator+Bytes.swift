import TestSupport

extension SeededGenerator {
  /// At most `count` random bytes.
  mutating func bytes(upTo count: Int) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self)
    }
  }

  /// The bytes with some of them changed, removed, repeated or inserted.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      let index = Int.random(in: 0...bytes.count, using: &self)
      switch Int.random(in: 0..<5, using: &self) {
      case 0: bytes.removeSubrange(index...)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &self), at: index)
      case 2 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &self)
      case 3 where index < bytes.count: bytes[index] = Bool.random(using: &self) ? 0xFF : 0
      default: bytes.insert(contentsOf: bytes[index...].prefix(16), at: index)
      }
    }
    return bytes
  }
}
