import TestSupport

/// Damaged bytes, as from a broken cable, a broken camera or an attacker.
enum HostileBytes {
  /// Returns noise, noise after a JPEG's first bytes, or a JPEG with bytes changed, removed,
  /// repeated or cut off.
  static func next(_ jpeg: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = jpeg
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      return noise(&random)
    case 1:
      return [0xff, 0xd8, 0xff] + noise(&random)
    case 2:
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        // Half of the changes hit the headers, where they do the most damage.
        let limit = Bool.random(using: &random) ? bytes.count : min(700, bytes.count)
        bytes[Int.random(in: 0..<limit, using: &random)] = .random(in: 0...255, using: &random)
      }
    case 3:
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, start + .random(in: 1...200, using: &random))
      if Bool.random(using: &random) {
        bytes.removeSubrange(start..<end)
      } else {
        bytes.insert(contentsOf: bytes[start..<end], at: end)
      }
    default:
      bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
    }
    return bytes
  }

  private static func noise(_ random: inout SeededGenerator) -> [UInt8] {
    // Many bytes are 0xff, because markers begin with it.
    (0..<Int.random(in: 0...300, using: &random)).map { _ in
      Int.random(in: 0..<4, using: &random) == 0 ? 0xff : .random(in: 0...255, using: &random)
    }
  }
}
