import CLinux
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
    let bound = ErrorBound.latest(at: after)
    return WallClockSample(
      offset: wall - (before + halfway),
      error: bound.map { $0 + halfway } ?? .max
    )
  }
}

/// The kernel's bound of the wall clock's error. It is read once a second: the kernel does not
/// change it more often, and frames should not wait for a system call.
private struct ErrorBound {
  /// Nil while the clock is not synchronized.
  private let nanoseconds: Int64?
  /// The monotonic time at which the kernel was asked.
  private let asked: Int64

  private static let last = Mutex<ErrorBound?>(nil)

  /// The largest error at this moment. The kernel lets the bound grow by 500 millionths of the
  /// elapsed time.
  static func latest(at now: Int64) -> Int64? {
    last.withLock { last in
      let bound = last.flatMap { (0..<1_000_000_000).contains(now - $0.asked) ? $0 : nil }
      let current = bound ?? ErrorBound(at: now)
      last = current
      return current.nanoseconds.map { $0 + (now - current.asked) / 2000 }
    }
  }

  private init(at now: Int64) {
    let microseconds = CLinux_wallClockError()
    nanoseconds = microseconds < 0 ? nil : microseconds * 1000
    asked = now
  }
}
