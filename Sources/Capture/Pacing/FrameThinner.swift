import OperatingSystem

/// Chooses the frames of a stream that are kept, so that they are at most so many a second and
/// evenly spaced. Pure.
///
/// Kept are those nearest to the beats of a metronome, so the mean rate is exact for every rate,
/// although the camera's frames fall where they fall.
struct FrameThinner {
  /// Nanoseconds from one beat to the next.
  let interval: Int64
  /// Half the camera's interval: a frame that comes so much before a beat is the nearest to it.
  private let earliness: Int64
  private var beat: MonotonicTime?

  /// - Parameters:
  ///   - limit: Frames a second.
  ///   - rate: The camera's rate; nil if it does not say.
  /// - Returns: Nil if the camera has no more frames than that.
  init?(limit: Double, of rate: FrameRate?) {
    // Rates that differ by at most 0.5 % are the same, as in requests: 30 and 29.97.
    if let rate, rate.framesPerSecond <= limit * 1.005 { return nil }
    interval = Int64(1e9 / max(limit, 1e-3))
    earliness = (rate?.interval ?? min(interval, PipelineLimits.assumedInterval)) / 2
  }

  /// Whether the frame of this time is kept.
  mutating func keeps(_ time: MonotonicTime) -> Bool {
    guard let next = beat, time >= next - .nanoseconds(2 * interval) else {
      // The first frame, or a clock that went back.
      beat = time + .nanoseconds(interval)
      return true
    }
    guard time >= next - .nanoseconds(earliness) else { return false }
    // After a gap the beats begin anew, so that no burst makes up for it.
    let isLate = time >= next + .nanoseconds(interval)
    beat = (isLate ? time : next) + .nanoseconds(interval)
    return true
  }
}
