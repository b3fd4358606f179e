/// SplitMix64: random numbers that a seed repeats.
struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible {
  let seed: UInt64
  private var state: UInt64

  /// - Parameter seed: nil = another one each time.
  init(seed: UInt64? = nil) {
    self.seed = seed ?? .random(in: 0...UInt64.max)
    state = self.seed
  }

  var description: String { "seed \(seed)" }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
