/// How much a camera may hold, and how long it may be silent.
package struct PipelineLimits: Hashable, Sendable {
  /// How far back the ring of recent frames reaches, in nanoseconds, as far as `ringByteCount` allows.
  package var ringDuration: Int64
  /// The most memory of the ring, in bytes.
  package var ringByteCount: Int
  /// Frames that may be in other hands beside the ring: encoders, queues of slow subscribers, stills.
  package var framesInUse: Int

  /// For cameras that do not say their rate.
  static let assumedInterval: Int64 = 33_333_333

  package init(
    ringDuration: Int64 = 1_000_000_000,
    ringByteCount: Int = 128 << 20,
    framesInUse: Int = 16
  ) {
    self.ringDuration = ringDuration
    self.ringByteCount = ringByteCount
    self.framesInUse = framesInUse
  }

  func ringCapacity(interval: Int64, byteCount: Int) -> Int {
    let byTime = Int(ringDuration / max(1, interval)) + 1
    return max(2, min(byTime, ringByteCount / max(1, byteCount), 1024))
  }

  /// Silence that counts as a stall: eight frames, but at least two seconds, for exposures may be long.
  func stallLimit(interval: Int64) -> Int64 {
    max(2_000_000_000, 8 * interval)
  }
}
