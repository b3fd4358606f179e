/// Durations as people write them: "0.2s", "200ms", "5"; without a unit, seconds.
package enum DurationText {
  private static let units: [(suffix: String, unit: Duration)] = [
    ("ns", .nanoseconds(1)), ("us", .microseconds(1)), ("ms", .milliseconds(1)),
    ("min", .seconds(60)), ("m", .seconds(60)), ("h", .seconds(3600)), ("s", .seconds(1)),
  ]

  /// Nil for a text that is no duration, a negative one, and more than a day.
  package static func parse(_ text: some StringProtocol) -> Duration? {
    let known = units.first { text.hasSuffix($0.suffix) } ?? ("", .seconds(1))
    // As numbers first, because a duration of more than 128 bits traps.
    guard let number = Double(text.dropLast(known.suffix.count)), number >= 0,
      number * (known.unit / .seconds(1)) <= 86_400
    else { return nil }
    return known.unit * number
  }
}
