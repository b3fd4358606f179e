/// How much memory a camera may use, and how long it may be silent.
package struct PipelineLimits: Hashable, Sendable {
  /// How far back the ring of recent frames reaches, in nanoseconds, as far as `ringByteCount`
  /// allows.
  package var ringDuration: Int64
  /// The most memory of the ring, in bytes.
  package var ringByteCount: Int
  /// Frames that may be in use outside the ring: by encoders, by the queues of slow subscribers, by
  /// photos.
  package var framesInUse: Int

  /// Nanoseconds between frames of a camera that does not say its rate.
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
}
