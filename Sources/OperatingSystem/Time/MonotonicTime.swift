import Glibc

/// A moment on the machine's monotonic clock (`CLOCK_MONOTONIC`). This clock cannot be set, and it
/// stands still while the machine sleeps. V4L2 stamps frames with the same clock.
public struct MonotonicTime: Comparable, Codable, Hashable, Sendable {
  /// Nanoseconds since an unspecified moment before boot.
  public var nanoseconds: Int64

  /// The moment this many nanoseconds after the clock's zero.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The present moment.
  public static var now: MonotonicTime {
    MonotonicTime(nanoseconds: OperatingSystem.nanoseconds(of: CLOCK_MONOTONIC))
  }

  /// The clock's zero, which is in the past.
  package static let distantPast = MonotonicTime(nanoseconds: 0)
  /// A moment that never comes.
  package static let distantFuture = MonotonicTime(nanoseconds: .max)

  /// Whether the left moment is earlier.
  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The later moment, limited to the clock's range.
  public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds.addingSaturated(duration.wholeNanoseconds))
  }

  /// The earlier moment, limited to the clock's range.
  public static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    time + (.zero - duration)
  }

  /// The time from the right moment to the left one. It is negative if the left moment is earlier.
  public static func - (end: MonotonicTime, start: MonotonicTime) -> Duration {
    .nanoseconds(end.nanoseconds) - .nanoseconds(start.nanoseconds)
  }
}

extension MonotonicTime {
  /// Names this clock: the boot of the machine, and its time namespace, which shifts the clock.
  /// Empty where /proc does not tell.
  package static let clockID: String = {
    guard let boot = SystemFile.word("/proc/sys/kernel/random/boot_id") else { return "" }
    do throws(SystemError) {
      return "\(boot):\(try FileStatus(at: "/proc/self/ns/time").identity.deviceAndInode)"
    } catch {
      // A kernel without such namespaces has no such file.
      return error.errno == ENOENT ? "\(boot)" : ""
    }
  }()
}

extension Duration {
  /// The duration in nanoseconds, rounded towards zero and limited to ±292 years.
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    return whole.addingSaturated(attoseconds / 1_000_000_000)
  }
}

/// Reads one of the system's clocks (clock_gettime(2)), in nanoseconds.
func nanoseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  _ = unsafe clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
