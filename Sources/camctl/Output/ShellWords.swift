/// Words as a shell reads them.
enum ShellWords {
  /// The text as one word in ASCII, in the form `$'…'` of bash, zsh and POSIX 2024.
  static func quoted(_ text: String) -> String {
    let bytes = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(Character(UnicodeScalar(byte)))"
      case 0x20..<0x7f: "\(Character(UnicodeScalar(byte)))"
      default: "\\" + octal(byte)
      }
    }
    return "$'\(bytes.joined())'"
  }

  private static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }
}
