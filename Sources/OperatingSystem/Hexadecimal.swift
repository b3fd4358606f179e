extension Collection<UInt8> {
  /// Two lower-case hexadecimal digits a byte.
  package var hexadecimal: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * count)
    for byte in self {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Reads two hexadecimal digits a byte, in either case; nil for any other text.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    let values = digits.compactMap(\.self)
    self = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}

extension FixedWidthInteger {
  /// The number as `0x` and lower-case hexadecimal digits.
  ///
  /// - Parameter digitCount: The least number of digits; zeros fill up on the left.
  package func hexadecimalNumber(digitCount: Int = 1) -> String {
    let digits = String(self, radix: 16)
    return "0x" + String(repeating: "0", count: Swift.max(0, digitCount - digits.count)) + digits
  }

  /// Reads `0x` and hexadecimal digits in either case; nil for any other text, and for numbers that
  /// are too large.
  package init?(hexadecimalNumber text: some StringProtocol) {
    guard text.hasPrefix("0x") else { return nil }
    self.init(text.dropFirst(2), radix: 16)
  }
}

private func digit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
