/// Digits of 5×7 dots.
enum DigitFont {
  /// Seven rows from the top. The lowest five bits of each are its dots, with the highest one on
  /// the left.
  typealias Glyph = [7 of UInt8]

  static let width = 5
  static let height = 7
  static let point: Glyph = [0, 0, 0, 0, 0, 0b01100, 0b01100]

  /// The glyph of a digit from 0 to 9.
  static func digit(_ value: UInt64) -> Glyph {
    switch value {
    case 0: [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110]
    case 1: [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]
    case 2: [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111]
    case 3: [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110]
    case 4: [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]
    case 5: [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]
    case 6: [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]
    case 7: [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000]
    case 8: [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]
    default: [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100]
    }
  }
}
