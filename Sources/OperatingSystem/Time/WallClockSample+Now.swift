import CLinux
import Glibc

extension WallClockSample {
  /// Both clocks as they stand now, for a frame that is being stamped.
  ///
  /// The wall clock is read between two readings of the monotonic one, so that an interruption in between shows:
  /// half the time from the first to the last is part of the error.
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

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// The kernel's bound of the wall clock's error, asked for once a second: the kernel does not change it more often,
/// and a frame is not to wait for a system call.
private struct ErrorBound {
  /// Nil when the clock is not synchronised.
  private let nanoseconds: Int64?
  private let asked: Int64

  private static let last = Mutex<ErrorBound?>(nil)

  /// The bound at most, for the kernel lets it grow by 500 millionths of the time.
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
