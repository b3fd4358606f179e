extension String {
  /// Whether it can be shown as a name: printable characters on one line, of which one can be seen.
  package var isShownName: Bool { isPrintableLine && unicodeScalars.contains(where: \.isSeen) }

  /// The text with its characters that are not shown as they are in escaped form: `\u{1B}`.
  var escaped: String {
    guard !isPrintableLine else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      text +=
        String(scalar).isPrintableLine
        ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
}

extension Unicode.Scalar {
  /// Whether it leaves ink by itself, as spaces, fillers and accents alone do not.
  fileprivate var isSeen: Bool {
    let inkless: [Unicode.GeneralCategory] = [
      .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark, .format,
    ]
    // The last is the braille pattern without dots.
    return !properties.isDefaultIgnorableCodePoint && !inkless.contains(properties.generalCategory)
      && value != 0x2800
  }
}

extension String {
  /// Whether the text is shown as it is, on one line: it has no control characters, separators of
  /// lines, or marks that turn the direction of writing.
  package var isPrintableLine: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
        .unassigned:
        false
      default: true
      }
    }
  }
}
