import Glibc

/// A moment of the wall clock in UTC, as a date and a time of day. Leap seconds are not counted.
package struct CalendarTime: Hashable, Sendable {
  private let date: CalendarDate
  private let secondOfDay: Int64
  private let nanosecond: Int64

  /// - Parameter nanoseconds: Since 1970-01-01T00:00:00Z, negative before it.
  package init(_ nanoseconds: Int64) {
    let seconds: Int64
    (seconds, nanosecond) = nanoseconds.flooredDivision(by: 1_000_000_000)
    let dayNumber: Int64
    (dayNumber, secondOfDay) = seconds.flooredDivision(by: 86_400)
    date = CalendarDate(dayNumber: dayNumber)
  }

  /// The present.
  package static var now: CalendarTime { CalendarTime(nanoseconds(of: CLOCK_REALTIME)) }

  /// The date, for names of folders: `2026-05-04`.
  package var day: String { dateFields.joined(separator: "-") }

  /// The moment to a millisecond, for names of files: `20260504T101112.345Z`.
  package var stamp: String {
    "\(dateFields.joined())T\(timeFields.joined()).\(fraction(digitCount: 3))Z"
  }

  /// The moment as RFC 3339 writes it: `2026-05-04T10:11:12.345678Z` with six digits after the
  /// point.
  ///
  /// - Parameter digitCount: How many digits follow the point, up to 9. Further digits are cut off.
  ///   With 0 there is no point.
  package func text(fractionDigits digitCount: Int) -> String {
    let fraction = digitCount == 0 ? "" : ".\(fraction(digitCount: digitCount))"
    return "\(day)T\(timeFields.joined(separator: ":"))\(fraction)Z"
  }

  private var dateFields: [String] {
    [Self.digits(date.year, 4), Self.digits(date.month, 2), Self.digits(date.day, 2)]
  }

  private var timeFields: [String] {
    [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { Self.digits($0, 2) }
  }

  private func fraction(digitCount: Int) -> Substring {
    Self.digits(nanosecond, 9).prefix(digitCount)
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}

extension CalendarTime {
  /// How far the machine's local time is ahead of UTC at a moment, in minutes.
  /// - Parameter nanoseconds: Since 1970-01-01T00:00:00Z.
  package static func utcOffset(at nanoseconds: Int64) -> Int {
    var seconds = time_t(nanoseconds.flooredDivision(by: 1_000_000_000).0)
    var local = unsafe tm()
    unsafe localtime_r(&seconds, &local)
    return unsafe Int(local.tm_gmtoff / 60)
  }
}
