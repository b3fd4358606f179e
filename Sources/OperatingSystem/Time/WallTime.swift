/// Converts wall clock times to and from text: RFC 3339 with nanoseconds, such as
/// `2026-11-21T09:07:07.123456789Z`.
///
/// The calendar is the proleptic Gregorian one without leap seconds. The conversion of dates
/// follows Howard Hinnant's "chrono-compatible low-level date algorithms".
package enum WallTime {
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000
  private static let secondsPerDay: Int64 = 86_400

  /// - Parameter nanoseconds: Nanoseconds since 1970-01-01T00:00:00Z, negative before.
  /// - Returns: UTC with nine decimals, so that texts sort by time.
  package static func text(nanoseconds: Int64) -> String {
    let (seconds, fraction) = divide(nanoseconds, by: nanosecondsPerSecond)
    let (days, second) = divide(seconds, by: secondsPerDay)
    let date = date(ofDay: days)
    let day = "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
    let time =
      "\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))"
    return "\(day)T\(time).\(digits(fraction, 9))Z"
  }

  /// Reads a time with any offset from UTC and up to nine decimals.
  /// - Returns: Nanoseconds since 1970-01-01T00:00:00Z. Nil if the text is not such a time, or is
  ///   outside the years 1677 to 2262, which is the range of 64 bits.
  package static func nanoseconds(parsing text: String) -> Int64? {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), reader.skip("Tt"),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      reader.skip(":"), let second = reader.number(2), let fraction = reader.fraction(),
      let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    guard (1...12).contains(month), day >= 1, day <= dayCount(ofMonth: month, year: year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds =
      self.day(year: year, month: month, day: day) * secondsPerDay
      + hour * 3600 + minute * 60 + second - offset
    // Before 1970 the fraction is subtracted from the following second, because the earlier second
    // may overflow.
    let (base, rest) =
      seconds < 0 && fraction > 0
      ? (seconds + 1, fraction - nanosecondsPerSecond) : (seconds, fraction)
    let product = base.multipliedReportingOverflow(by: nanosecondsPerSecond)
    let sum = product.partialValue.addingReportingOverflow(rest)
    return product.overflow || sum.overflow ? nil : sum.partialValue
  }

  /// The quotient, rounded down, and the remainder, which is never negative.
  private static func divide(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// The day's number; 0 is 1970-01-01. Years begin in March here, so that the leap day comes last.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let (era, yearOfEra) = divide(month <= 2 ? year - 1 : year, by: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = divide(number + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth + (marchMonth < 10 ? 3 : -9)
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func dayCount(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
