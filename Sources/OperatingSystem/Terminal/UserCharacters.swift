import CLinux

/// The characters that the user's locale can print. The locale is the one that LC_ALL, LC_CTYPE or
/// LANG names, if this machine has it, and otherwise POSIX.
package enum UserCharacters {
  /// ASCII for the characters that messages use. Others become question marks.
  private static let plain: [Unicode.Scalar: String] = [
    "±": "+-", "…": "...", "×": "x", "→": "->", "–": "-", "—": "-", "“": "\"", "”": "\"",
    "‘": "'", "’": "'", "µ": "u", "°": " degrees",
  ]

  /// Whether there is more than ASCII.
  package static let isUnicode = CLinux_takeLocale() != 0

  /// How many columns of a terminal the character takes: 0 for a combining one, 2 for a wide one.
  /// Nil if it cannot be printed.
  package static func columns(of character: Unicode.Scalar) -> Int? {
    guard isUnicode || character.isASCII, !isHidden(character) else { return nil }
    let columns = CLinux_columns(character.value)
    return columns < 0 ? nil : Int(columns)
  }

  /// The text without control characters, which a device's name could contain, and in plain ASCII
  /// if the user's locale has no more.
  package static func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }) { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if columns(of: scalar) != nil {
        shown.unicodeScalars.append(scalar)
      } else if scalar == "\n" || scalar == "\t" {
        shown += " "
      } else {
        shown += plain[scalar] ?? "?"
      }
    }
    return shown
  }

  /// Whether a terminal obeys the character instead of showing it. NUL and the marks that turn the
  /// direction of writing take no column for the C library.
  private static func isHidden(_ character: Unicode.Scalar) -> Bool {
    switch character.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Except for the two joiners, which scripts and emoji need.
    case .format: character.value != 0x200C && character.value != 0x200D
    default: false
    }
  }
}
