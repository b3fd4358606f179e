import OperatingSystem

/// Text as the user's terminal can show it.
enum ShownText {
  /// The text as the user's locale can print it.
  static func printable(_ text: String) -> String { UserCharacters.printable(text) }

  /// How many columns the text takes.
  static func columns(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + (UserCharacters.columns(of: $1) ?? 0) }
  }

  /// As much of the text as fits.
  static func prefix(_ text: String, columns limit: Int) -> String {
    var used = 0
    return String(
      text.prefix { character in
        used += columns(String(character))
        return used <= limit
      })
  }

  /// The text with spaces behind it, up to this width.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
  }

  /// The text in lines that are broken between words. A word that is too long has a line of its
  /// own, because a path or an id in two parts could not be copied.
  /// - Parameter indent: How far the lines after the first are indented.
  static func wrapped(_ text: String, columns limit: Int, indent: Int) -> [String] {
    guard columns(text) > limit else { return [text] }
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line: String?
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      guard let begun = line else {
        line = String(word)
        continue
      }
      if columns(begun) + 1 + columns(word) <= limit {
        line = "\(begun) \(word)"
      } else {
        lines.append(begun)
        line = margin + word.drop { $0 == " " }
      }
    }
    return lines + [line ?? ""]
  }
}
