import Foundation

/// Random numbers that a seed brings back (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Takes the seed from `CAMERABUS_SEED`, else a new one, and prints it: a test that ends the process leaves it.
  init(for test: String) {
    let given = ProcessInfo.processInfo.environment["CAMERABUS_SEED"].flatMap(UInt64.init)
    state = given ?? UInt64.random(in: 0...UInt64.max)
    print("\(test): CAMERABUS_SEED=\(state)")
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Bytes of any value.
  mutating func bytes(upTo count: Int) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self)
    }
  }

  /// The bytes with some of them changed, cut off, doubled or new.
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
