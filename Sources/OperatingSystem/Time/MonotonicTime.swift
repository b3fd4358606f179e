import Glibc

/// A moment on the machine's monotonic clock (`CLOCK_MONOTONIC`), which no one sets and which stands still
/// while the machine sleeps. V4L2 stamps frames with the same clock.
public struct MonotonicTime: Comparable, Hashable, Sendable {
  /// Nanoseconds since an unspecified moment before boot.
  public var nanoseconds: Int64

  /// The moment that many nanoseconds after the clock's zero.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The present moment.
  public static var now: MonotonicTime {
    MonotonicTime(nanoseconds: OperatingSystem.nanoseconds(of: CLOCK_MONOTONIC))
  }

  /// The clock's zero: a moment that is over.
  package static let distantPast = MonotonicTime(nanoseconds: 0)
  /// A moment that does not come.
  package static let distantFuture = MonotonicTime(nanoseconds: .max)

  /// Whether the left moment is earlier.
  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment that long after; at the end of the clock's range it stays there.
  public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds.addingSaturated(duration.wholeNanoseconds))
  }

  /// The moment that long before; at the end of the clock's range it stays there.
  public static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    time + (.zero - duration)
  }

  /// The time from the right moment to the left one; negative when the left one is earlier.
  public static func - (end: MonotonicTime, start: MonotonicTime) -> Duration {
    .nanoseconds(end.nanoseconds) - .nanoseconds(start.nanoseconds)
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded towards zero; what lies beyond ±292 years becomes that.
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    return whole.addingSaturated(attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  fileprivate func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }
}
