/// Durations as people write them: "0.2s", "200ms", "5"; without a unit, seconds.
package enum DurationText {
  private static let units: [(suffix: String, unit: Duration)] = [
    ("ns", .nanoseconds(1)), ("us", .microseconds(1)), ("ms", .milliseconds(1)),
    ("min", .seconds(60)), ("h", .seconds(3600)), ("s", .seconds(1)),
  ]

  /// The forms that `parse` takes, for the help of options.
  package static let forms = "a number with ns, us, ms, s, min or h; without a unit, seconds"

  /// Nil for a text that is no duration, a negative one, and more than a day.
  /// - Parameter needsUnit: Whether a number without a unit is no duration.
  package static func parse(_ text: some StringProtocol, needsUnit: Bool = false) -> Duration? {
    let unit = units.first { text.hasSuffix($0.suffix) }
    guard unit != nil || !needsUnit else { return nil }
    let known = unit ?? ("", .seconds(1))
    // As numbers first, because a duration of more than 128 bits traps.
    guard let number = Double(text.dropLast(known.suffix.count)), number >= 0,
      number * (known.unit / .seconds(1)) <= 86_400
    else { return nil }
    return known.unit * number
  }
}
