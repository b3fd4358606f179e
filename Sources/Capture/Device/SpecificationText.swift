/// How the specifications of cameras are written: parts with commas in between. In a part, `\,`
/// stands for a comma, and `\\` for a backslash.
package enum SpecificationText {
  /// The parts as they are written.
  package static func parts(_ text: some StringProtocol) -> [Substring] {
    var parts = [Substring]()
    var rest = Substring(text)
    while let comma = comma(in: rest) {
      parts.append(rest[..<comma])
      rest = rest[rest.index(after: comma)...]
    }
    return parts + [rest]
  }

  /// The path that a part stands for.
  package static func path(_ part: Substring) -> String {
    var path = ""
    var rest = part
    while let character = rest.popFirst() {
      let isEscape = character == #"\"# && (rest.first == "," || rest.first == #"\"#)
      path.append(isEscape ? rest.removeFirst() : character)
    }
    return path
  }

  private static func comma(in text: Substring) -> Substring.Index? {
    var isEscaped = false
    for (index, character) in zip(text.indices, text) {
      if character == ",", !isEscaped { return index }
      isEscaped = character == #"\"# && !isEscaped
    }
    return nil
  }
}
