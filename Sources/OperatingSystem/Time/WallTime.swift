import Glibc

/// Moments of the wall clock as text: RFC 3339 with nanoseconds, as in
/// `2026-11-21T09:07:07.123456789Z`.
package enum WallTime {
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  /// - Parameter nanoseconds: Since 1970-01-01T00:00:00Z, negative before it.
  /// - Returns: UTC with nine digits after the point, so that texts sort in the order of their
  ///   moments.
  package static func text(nanoseconds: Int64) -> String {
    CalendarTime(nanoseconds).text(fractionDigits: 9)
  }

  /// - Returns: As ``text(nanoseconds:)``, but whole seconds without a point.
  package static func shortText(nanoseconds: Int64) -> String {
    let isWhole = nanoseconds.isMultiple(of: nanosecondsPerSecond)
    return CalendarTime(nanoseconds).text(fractionDigits: isWhole ? 0 : 9)
  }

  /// The present to the millisecond, in UTC.
  package static var now: String {
    CalendarTime.now.text(fractionDigits: 3)
  }

  /// The present in nanoseconds since 1970-01-01T00:00:00Z.
  package static var nowNanoseconds: Int64 { OperatingSystem.nanoseconds(of: CLOCK_REALTIME) }

  /// Reads a moment with any offset from UTC and up to nine digits after the point.
  ///
  /// - Returns: Nanoseconds since 1970-01-01T00:00:00Z. Nil for other text, and for moments outside
  ///   of the years 1677 to 2262, because 64 bits cannot hold them.
  package static func nanoseconds(parsing text: String) -> Int64? {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), reader.skip("Tt"),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      reader.skip(":"), let second = reader.number(2), let fraction = reader.fraction(),
      let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    guard let date = CalendarDate(year: year, month: month, day: day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second - offset
    // Before 1970 the next higher second is multiplied and the fraction taken off, because the
    // lower second's product may overflow where the result does not.
    let (base, rest) =
      seconds < 0 && fraction > 0
      ? (seconds + 1, fraction - nanosecondsPerSecond) : (seconds, fraction)
    let product = base.multipliedReportingOverflow(by: nanosecondsPerSecond)
    let sum = product.partialValue.addingReportingOverflow(rest)
    return product.overflow || sum.overflow ? nil : sum.partialValue
  }
}
