import Glibc

/// A moment of the wall clock as file names say it, in UTC.
package struct CalendarTime: Sendable {
  /// `2026-05-04`.
  package let day: String
  /// `20260504T101112.345Z`.
  package let stamp: String

  /// - Parameter nanoseconds: since 1970.
  package init(_ nanoseconds: Int64) {
    let (milliseconds, _) = nanoseconds.flooredDivision(by: 1_000_000)
    let (seconds, millisecond) = milliseconds.flooredDivision(by: 1000)
    var time = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&time, &parts)
    let date = unsafe [
      Self.digits(parts.tm_year + 1900, 4), Self.digits(parts.tm_mon + 1, 2),
      Self.digits(parts.tm_mday, 2),
    ]
    let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.digits($0, 2) }
    day = date.joined(separator: "-")
    stamp = "\(date.joined())T\(clock.joined()).\(Self.digits(Int32(millisecond), 3))Z"
  }

  private static func digits(_ value: Int32, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

extension Int64 {
  /// Rounded down, also for moments before 1970.
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
