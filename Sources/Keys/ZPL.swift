/// A text of names and values in the ZeroMQ Property Language ([RFC
/// 4](https://rfc.zeromq.org/spec/4/)), in which czmq and pyzmq write certificates.
///
/// Four spaces indent a level, `#` begins a comment, and quotes may enclose a value.
struct ZPL: Equatable, Sendable {
  private static let blanks = " \t"

  /// By path: the names of all levels, separated by slashes, which names do not have here.
  private(set) var values: [String: String] = [:]

  /// - Throws: `KeyError` with the line.
  init(_ text: String) throws(KeyError) {
    var path: [Substring] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      do throws(Flaw) {
        try read(line, &path)
      } catch {
        throw KeyError("line \(index + 1) \(error.words)")
      }
    }
  }

  private struct Flaw: Error {
    let words: String
  }

  private mutating func read(_ line: Substring, _ path: inout [Substring]) throws(Flaw) {
    let indentation = line.prefix { $0 == " " }.count
    let rest = line.dropFirst(indentation)
    guard let first = rest.first, first != "#" else { return }
    guard first != "\t", indentation.isMultiple(of: 4), indentation / 4 <= path.count else {
      throw Flaw(words: "is not indented by four spaces for each level")
    }
    let name = rest.prefix { Self.isNameCharacter($0) }
    guard !name.isEmpty else { throw Flaw(words: "has no name") }
    path.removeSubrange((indentation / 4)...)
    path.append(name)
    let value = try Self.value(rest.dropFirst(name.count).trimmed(Self.blanks))
    guard let value else { return }
    guard values.updateValue(value, forKey: path.joined(separator: "/")) == nil else {
      throw Flaw(words: "says \(name) again")
    }
  }

  /// - Parameter rest: What follows a name.
  /// - Returns: Nil for a name without a value, which others follow on the next level.
  private static func value(_ rest: Substring) throws(Flaw) -> String? {
    guard let first = rest.first, first != "#" else { return nil }
    guard first == "=" else { throw Flaw(words: "has something else than = behind the name") }
    let text = rest.dropFirst().trimmed(blanks)
    guard let quote = text.first, quote == "\"" || quote == "'" else {
      return String(text.prefix { $0 != "#" }.trimmed(blanks))
    }
    let quoted = text.dropFirst()
    guard let end = quoted.firstIndex(of: quote) else {
      throw Flaw(words: "has a quote that does not end")
    }
    let behind = quoted[end...].dropFirst().trimmed(blanks)
    guard behind.isEmpty || behind.hasPrefix("#") else {
      throw Flaw(words: "has something behind the quote")
    }
    return String(quoted[..<end])
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "$-_@.&+".contains(character))
  }
}

extension Substring {
  /// The text without these characters at both ends.
  func trimmed(_ blanks: String) -> Substring {
    var text = drop { blanks.contains($0) }
    while let last = text.last, blanks.contains(last) { text.removeLast() }
    return text
  }
}
