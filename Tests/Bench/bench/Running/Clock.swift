import Glibc

/// Reads clocks in nanoseconds, like the floor's programs.
enum Clock {
  static var now: Int64 { read(CLOCK_MONOTONIC) }
  /// CPU time of this process.
  static var cpu: Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// CPU time of another process, including all its threads.
  static func cpu(of process: Int32) -> Int64 {
    var clock = clockid_t()
    return clock_getcpuclockid(process, &clock) == 0 ? read(clock) : 0
  }

  static func sleep(until moment: Int64) {
    var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
