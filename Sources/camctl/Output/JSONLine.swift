import OperatingSystem
import Reports

/// One object a line, keys in alphabetical order.
enum JSONLine {
  static func print(_ value: some Encodable) {
    StandardOutput.write(painted: text(of: value))
  }

  static func text(of value: some Encodable) -> String {
    escaped(String(decoding: JSONText.data(of: value), as: UTF8.self))
  }

  /// The same JSON with escapes for the characters that the user's terminal cannot print, or obeys.
  private static func escaped(_ json: String) -> String {
    guard !json.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }) else { return json }
    return json.unicodeScalars.reduce(into: "") { text, scalar in
      if UserCharacters.columns(of: scalar) != nil {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
  }
}
