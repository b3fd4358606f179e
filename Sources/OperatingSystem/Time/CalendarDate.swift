/// A date of the Gregorian calendar, extended to all years ("proleptic").
///
/// Dates and day numbers are converted as in Howard Hinnant's "chrono-compatible low-level date
/// algorithms".
struct CalendarDate: Hashable, Sendable {
  let year: Int64
  /// 1 to 12.
  let month: Int64
  /// 1 to 31.
  let day: Int64

  /// Nil if the month has no such day.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), day >= 1, day <= Self.dayCount(ofMonth: month, year: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// - Parameter number: Days since 1970-01-01, negative before it.
  init(dayNumber number: Int64) {
    let (era, dayOfEra) = (number + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth + (marchMonth < 10 ? 3 : -9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
  }

  /// Days since 1970-01-01. The computation begins years in March, so that a leap day is the last
  /// day of its year.
  var dayNumber: Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func dayCount(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

extension Int64 {
  /// The quotient rounded down, also for negative numbers, and the remainder, which is never
  /// negative.
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
