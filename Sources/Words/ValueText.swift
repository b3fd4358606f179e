import OperatingSystem

/// Values of controls as people write them. Nil for a text that is no such value.
package enum ValueText {
  /// A whole number, or hexadecimal digits behind `0x`.
  package static func wholeNumber(_ text: String) -> Int64? {
    Int64(hexadecimalNumber: text) ?? Int64(text)
  }

  /// A finite number with its unit, or without it; a time also in milliseconds or microseconds, and
  /// a share also in percent.
  /// - Parameter unit: "s", "K", "EV"; empty for a factor or a share.
  package static func number(_ text: String, unit: String) -> Double? {
    let units: [(name: String, perUnit: Double)] =
      switch unit {
      case "s": [("us", 1e6), ("µs", 1e6), ("ms", 1e3), ("s", 1)]
      case "": [("x", 1), ("%", 100)]
      default: [(unit, 1)]
      }
    let whole = Substring(text)
    let written = units.first { whole.lowercased().hasSuffix($0.name.lowercased()) }
    let digits = written.map { whole.dropLast($0.name.count).trimmed } ?? whole
    return Double(digits).flatMap { $0.isFinite ? $0 / (written?.perUnit ?? 1) : nil }
  }

  /// Two numbers with a comma between them, each a share.
  package static func point(_ text: String) -> (x: Double, y: Double)? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { number(String($0), unit: "") }
    guard parts.count == 2, let x = parts[0], let y = parts[1] else { return nil }
    return (x, y)
  }

  /// Whole numbers with commas between them.
  package static func elements(_ text: String) -> [Int64]? {
    let elements = text.split(separator: ",").map { Int64($0.trimmed) }
    return elements.contains(nil) ? nil : elements.compactMap(\.self)
  }

  package static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "on", "yes": true
    case "0", "false", "off", "no": false
    default: nil
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count)
  }
}
