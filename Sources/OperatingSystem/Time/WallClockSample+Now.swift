import Glibc

extension WallClockSample {
  /// Reads both clocks now, to stamp a frame.
  ///
  /// The wall clock is read between two readings of the monotonic clock. Half the time between
  /// these two is part of the error, so that an interruption in between enlarges it.
  package static func now() -> WallClockSample {
    let before = MonotonicTime.now.nanoseconds
    let wall = nanoseconds(of: CLOCK_REALTIME)
    let after = MonotonicTime.now.nanoseconds
    let halfway = (after - before) / 2
    let bound = WallClockError.shared.latest(at: after)
    return WallClockSample(
      offset: wall - (before + halfway),
      error: bound.map { $0 + halfway } ?? .max
    )
  }
}
