public import FoundationEssentials
import OperatingSystem

/// A moment of a clock, in whole nanoseconds. Sums are limited to what 64 bits hold, which is 292
/// years from the clock's zero. In JSON it is that number.
public protocol ClockInstant: Comparable, Hashable, Sendable, Codable {
  /// Nanoseconds since the clock's zero.
  var nanoseconds: Int64 { get set }

  /// The moment so many nanoseconds after the clock's zero.
  init(nanoseconds: Int64)
}

extension ClockInstant {
  /// Whether the left moment is earlier.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The later moment.
  public static func + (moment: Self, duration: Duration) -> Self {
    Self(nanoseconds: moment.nanoseconds.addingSaturated(duration.wholeNanoseconds))
  }

  /// The earlier moment.
  public static func - (moment: Self, duration: Duration) -> Self { moment + (.zero - duration) }

  /// The time from the right moment to the left one, negative if the left moment is earlier.
  public static func - (end: Self, start: Self) -> Duration {
    .nanoseconds(end.nanoseconds) - .nanoseconds(start.nanoseconds)
  }

  /// Reads the number of nanoseconds.
  public init(from decoder: any Decoder) throws {
    self.init(nanoseconds: try Int64(from: decoder))
  }

  /// Writes the number of nanoseconds.
  public func encode(to encoder: any Encoder) throws { try nanoseconds.encode(to: encoder) }
}

/// A moment of a machine's `CLOCK_MONOTONIC`, which never steps. Moments of one boot of one machine
/// can be compared.
public struct MonotonicInstant: ClockInstant {
  /// Nanoseconds since an unspecified moment before the machine's boot.
  public var nanoseconds: Int64

  /// The moment so many nanoseconds after the clock's zero.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
}

/// A moment of a machine's wall clock.
public struct WallInstant: ClockInstant, CustomStringConvertible {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public var nanoseconds: Int64

  /// The moment so many nanoseconds after 1970-01-01T00:00:00Z.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment of a date, limited to the years 1677 to 2262.
  public init(_ date: Date) {
    let nanoseconds = (date.timeIntervalSince1970 * 1e9).rounded()
    self.init(nanoseconds: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
  }

  /// The moment of an RFC 3339 text such as `2026-11-21T09:07:07.25Z`; nil for other texts.
  public init?(_ text: String) {
    guard let nanoseconds = WallTime.nanoseconds(parsing: text) else { return nil }
    self.init(nanoseconds: nanoseconds)
  }

  /// The present by this machine's clock.
  public static var now: WallInstant { WallInstant(nanoseconds: WallTime.nowNanoseconds) }

  /// The moment as a date, to about a tenth of a microsecond.
  public var date: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }

  /// RFC 3339 text in UTC with nanoseconds: `2026-11-21T09:07:07.123456789Z`.
  public var description: String { WallTime.text(nanoseconds: nanoseconds) }
}
