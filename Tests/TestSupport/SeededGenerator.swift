import Foundation

/// Random numbers that can be repeated from a seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible, Sendable {
  package let seed: UInt64
  private var state: UInt64

  /// Takes the seed from `CAMERABUS_SEED` or makes a new one, and prints it, so that it is known
  /// even if the test ends the process.
  package init(for test: String) {
    let given = ProcessInfo.processInfo.environment["CAMERABUS_SEED"].flatMap(UInt64.init)
    self.init(seed: given ?? .random(in: 0...UInt64.max))
    print("\(test): \(self)")
  }

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The environment variable that repeats these numbers.
  package var description: String { "CAMERABUS_SEED=\(seed)" }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
