import CLinux

/// The characters that the user's locale can print. The locale is the one that LC_ALL, LC_CTYPE or
/// LANG names, if this machine has it, and otherwise POSIX.
package enum UserCharacters {
  /// Whether there is more than ASCII.
  package static let isUnicode = CLinux_takeLocale() != 0

  /// How many columns of a terminal the character takes: 0 for a combining one, 2 for a wide one.
  /// Nil if it cannot be printed.
  package static func columns(of character: Unicode.Scalar) -> Int? {
    guard isUnicode || character.isASCII else { return nil }
    let columns = CLinux_columns(character.value)
    return columns < 0 ? nil : Int(columns)
  }
}
