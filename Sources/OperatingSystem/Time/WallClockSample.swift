import Glibc

/// The wall clock compared with the monotonic clock at one moment.
package struct WallClockSample: Codable, Hashable, Sendable {
  /// Nanoseconds to add to `CLOCK_MONOTONIC` to get `CLOCK_REALTIME`.
  package var offset: Int64
  /// The bound of the wall clock's error in nanoseconds, from `WallClockError`; `Int64.max` if it
  /// is unknown.
  package var error: Int64

  package init(offset: Int64, error: Int64) {
    self.offset = offset
    self.error = error
  }
}

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

  /// Whether both samples can be true. If not, the wall clock was changed from one to the other:
  /// what slews it slews the monotonic clock too.
  package func agrees(with other: WallClockSample) -> Bool {
    let (errors, isUnbounded) = error.addingReportingOverflow(other.error)
    return isUnbounded || (offset &- other.offset).magnitude <= errors.magnitude
  }
}
