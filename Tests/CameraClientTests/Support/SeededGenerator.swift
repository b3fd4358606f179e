import Foundation

/// Random numbers that a seed brings back (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Takes the seed from `CAMERABUS_SEED`, else a new one, and prints it.
  static func seed(for test: String) -> UInt64 {
    let given = ProcessInfo.processInfo.environment["CAMERABUS_SEED"].flatMap(UInt64.init)
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    print("\(test): CAMERABUS_SEED=\(seed)")
    return seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True once in so many times.
  mutating func chance(_ times: Int) -> Bool {
    Int.random(in: 0..<times, using: &self) == 0
  }
}
