import OperatingSystem

extension String {
  /// Whether it can be shown as a name: printable characters on one line, and not only spaces.
  package var isShownName: Bool {
    isPrintableLine
      && unicodeScalars.contains { $0.properties.generalCategory != .spaceSeparator }
  }

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
