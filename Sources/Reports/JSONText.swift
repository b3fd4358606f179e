package import FoundationEssentials

/// JSON as the programs write it: keys in alphabetical order, on one line.
package enum JSONText {
  package static func data(of value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A node may send any number, and JSON has none for these.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    do {
      return try encoder.encode(value)
    } catch {
      preconditionFailure("\(type(of: value)) has no JSON form: \(error)")
    }
  }
}
