/// Durations as people write them: "0.2s", "200ms", "5"; without a unit, seconds.
package enum DurationText {
  private static let units: [(suffix: String, unit: Duration)] = [
    ("ns", .nanoseconds(1)), ("us", .microseconds(1)), ("ms", .milliseconds(1)),
    ("min", .seconds(60)), ("m", .seconds(60)), ("h", .seconds(3600)), ("s", .seconds(1)),
  ]

  /// Nil for a text that is no duration, a negative one, and more than a day.
  package static func parse(_ text: some StringProtocol) -> Duration? {
    let known = units.first { text.hasSuffix($0.suffix) } ?? ("", .seconds(1))
    guard let number = Double(text.dropLast(known.suffix.count)), number.isFinite, number >= 0
    else { return nil }
    let duration = known.unit * number
    return duration <= .seconds(86_400) ? duration : nil
  }
}
