import FoundationEssentials

/// One object a line, keys in alphabetical order.
enum JSONLine {
  static func print(_ value: some Encodable) {
    StandardOutput.write(line: text(of: value))
  }

  static func text(of value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      preconditionFailure("\(type(of: value)) has no JSON form: \(error)")
    }
  }
}
