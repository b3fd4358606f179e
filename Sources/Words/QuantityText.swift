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

/// Ages as people write them: "30d", "12h", "2w".
package enum AgeText {
  private static let units: [Character: Double] = ["h": 3600, "d": 86_400, "w": 604_800]

  /// The forms that `parse` takes, for errors.
  package static let forms = "an age above 0 with h, d or w, such as 30d"

  /// Nil for a text that is none, and for more than a century.
  package static func parse(_ text: some StringProtocol) -> Duration? {
    guard let unit = text.last.flatMap({ units[$0] }), let number = Double(text.dropLast()),
      number > 0, number * unit <= 3_155_760_000
    else { return nil }
    return .seconds(number * unit)
  }
}

/// Numbers of bytes as people write them: "64MiB", "1.5 GiB", "0B".
package enum ByteCountText {
  private static let units: [(suffix: String, byteCount: Double)] = [
    ("KiB", 0x1p10), ("MiB", 0x1p20), ("GiB", 0x1p30), ("TiB", 0x1p40), ("B", 1),
  ]

  /// The forms that `parse` takes, for errors.
  package static let forms = "a size with its unit (B, KiB, MiB, GiB or TiB), such as 2GiB"

  /// Nil for a text that is no size, a negative one, and more than 1024 TiB.
  package static func parse(_ text: some StringProtocol) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
    var digits = Substring(text.dropLast(unit.suffix.count))
    if digits.last == " " { digits.removeLast() }
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let number = Double(String(digits)), number * unit.byteCount <= 0x1p50
    else { return nil }
    return Int(number * unit.byteCount)
  }
}

/// Sizes of pictures as people write them: "1280x720".
package enum SizeText {
  /// Nil for a text that is no size: two numbers of 1 to 65535 in decimal digits, and nothing else.
  package static func sides(of text: some StringProtocol) -> (width: Int, height: Int)? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { side in
      side.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? UInt16(side) ?? 0 : 0
    }
    guard sides.count == 2, !sides.contains(0) else { return nil }
    return (Int(sides[0]), Int(sides[1]))
  }
}
