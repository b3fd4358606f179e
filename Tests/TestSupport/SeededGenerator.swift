import CaptureSynthetic
import Foundation

/// Random numbers that can be repeated from a seed.
package struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible, Sendable {
  package let seed: UInt64
  private var numbers: SplitMix64

  /// Takes the seed from `CAMERABUS_SEED` or makes a new one, and prints it, so that it is known
  /// even if the test ends the process.
  package init(for test: String) {
    let given = ProcessInfo.processInfo.environment["CAMERABUS_SEED"].flatMap(UInt64.init)
    self.init(seed: given ?? .random(in: 0...UInt64.max))
    print("\(test): \(self)")
  }

  package init(seed: UInt64) {
    self.seed = seed
    numbers = SplitMix64(seed: seed)
  }

  /// The environment variable that repeats these numbers.
  package var description: String { "CAMERABUS_SEED=\(seed)" }

  package mutating func next() -> UInt64 { numbers.next() }
}
