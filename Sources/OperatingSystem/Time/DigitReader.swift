/// Reads the fixed fields of a time from text, one after another.
struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads exactly `count` digits.
  mutating func number(_ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return Int64(Substring(digits))
  }

  /// Skips one character if it is among these.
  mutating func skip(_ characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads a point and one to nine digits, in nanoseconds; 0 if there is no point.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    let count = rest.prefix(while: Self.isDigit).count
    guard (1...9).contains(count), let value = number(count) else { return nil }
    return (count..<9).reduce(value) { value, _ in value * 10 }
  }

  /// Reads `Z` or `±hh:mm`, in seconds east of UTC.
  mutating func offset() -> Int64? {
    if skip("Zz") { return 0 }
    let isEast = skip("+")
    guard isEast || skip("-"), let hours = number(2), skip(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isEast ? seconds : -seconds
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
