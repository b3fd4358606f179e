/// A metric with all its samples, in the text format of Prometheus.
package struct MetricFamily: Sendable {
  package enum Kind: String, Sendable {
    case counter, gauge
  }

  private struct Sample {
    var labels: [(name: String, value: String)]
    var value: Double
  }

  package let name: String
  private let kind: Kind
  private let help: String
  private var samples: [Sample] = []

  /// - Parameters:
  ///   - name: In base units, with the unit at its end: `_seconds`, `_bytes`; of a counter
  ///     `_total` behind it.
  ///   - help: One line for people.
  package init(_ name: String, _ kind: Kind, _ help: String) {
    self.name = "camerabus_\(name)"
    self.kind = kind
    self.help = help
  }

  /// Adds a sample; nil is no value, and no sample.
  package mutating func add(_ value: Double?, _ labels: KeyValuePairs<String, String>) {
    guard let value else { return }
    samples.append(Sample(labels: labels.map { ($0.key, $0.value) }, value: value))
  }

  package mutating func add(_ value: UInt64?, _ labels: KeyValuePairs<String, String>) {
    add(value.map { Double($0) }, labels)
  }

  package mutating func add(_ value: Int?, _ labels: KeyValuePairs<String, String>) {
    add(value.map { Double($0) }, labels)
  }

  package mutating func add(_ value: Bool, _ labels: KeyValuePairs<String, String>) {
    add(value ? 1.0 : 0, labels)
  }

  package mutating func add(_ value: Duration?, _ labels: KeyValuePairs<String, String>) {
    add(value.map { $0 / .seconds(1) }, labels)
  }

  /// The lines of the format; none for a family without samples.
  package var text: String {
    guard !samples.isEmpty else { return "" }
    var text = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      text += name
      if !sample.labels.isEmpty {
        let pairs = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
        text += "{\(pairs.joined(separator: ","))}"
      }
      text += " \(Self.number(sample.value))\n"
    }
    return text
  }

  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, letter in
      switch letter {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n", "\r\n": text += "\\n"
      default: text.append(letter)
      }
    }
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map(String.init) ?? "\(value)"
  }
}

extension [MetricFamily] {
  /// The whole page.
  package var text: String { map(\.text).joined() }
}
