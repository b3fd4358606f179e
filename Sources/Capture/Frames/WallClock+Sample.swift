import CLinux
import EventLoop
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
    let bound = CLinux_wallClockError()
    return WallClockSample(
      offset: wall - (before + halfway),
      error: bound < 0 ? .max : bound * 1000 + halfway
    )
  }

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
