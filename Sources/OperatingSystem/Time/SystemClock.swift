import Glibc

/// Reads one of the system's clocks (clock_gettime(2)), in nanoseconds.
func nanoseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  _ = unsafe clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
