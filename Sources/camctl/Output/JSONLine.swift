import FoundationEssentials
import OperatingSystem

/// One object a line, keys in alphabetical order.
enum JSONLine {
  static func print(_ value: some Encodable) {
    StandardOutput.write(painted: text(of: value))
  }

  static func text(of value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      preconditionFailure("\(type(of: value)) has no JSON form: \(error)")
    }
  }

  /// The same JSON in plain ASCII if the user's locale has no more.
  private static func escaped(_ json: String) -> String {
    guard !UserCharacters.isUnicode, !json.utf8.allSatisfy({ $0 < 0x80 }) else { return json }
    return json.utf16.reduce(into: "") { text, unit in
      if let scalar = Unicode.Scalar(unit), scalar.isASCII {
        text.unicodeScalars.append(scalar)
      } else {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }
}
