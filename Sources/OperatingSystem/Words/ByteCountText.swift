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
