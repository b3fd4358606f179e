import Foundation

/// The results of a measurement, with a description of the machine.
struct Report: Codable {
  var machine: Machine
  var rounds: Int
  var rows: [Row]

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  func table(isShort: Bool) -> String {
    var lines = machine.lines + ["medians of \(rounds) rounds in turn", ""]
    let header = ["", "unit", "ours", "floor", "ratio", "target", ""]
    let table = [header] + rows.map { cells($0, isShort: isShort) }
    let widths = header.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    var benchmark = ""
    for (index, row) in table.enumerated() {
      if index > 0, rows[index - 1].benchmark != benchmark {
        benchmark = rows[index - 1].benchmark
        lines.append(benchmark)
      }
      let columns = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column < 2 ? row[column] + padding : padding + row[column]
      }
      lines.append("  " + columns.joined(separator: "  "))
    }
    return lines.joined(separator: "\n")
  }

  private func cells(_ row: Row, isShort: Bool) -> [String] {
    let verdict =
      isShort ? (row.isGross ? "GROSS" : "") : row.excess.map { $0 <= 1 ? "met" : "MISSED" } ?? ""
    return [
      row.name, row.unit, text(row.ours), row.floor.map(text) ?? "",
      row.ratio.map { String(format: "%.2f", $0) } ?? "", target(row), verdict,
    ]
  }

  private func target(_ row: Row) -> String {
    switch row.target {
    case .ratioAtMost(let limit): "≤ \(text(limit)) ×"
    case .ratioAtLeast(let limit): "≥ \(text(limit)) ×"
    case .atMost(let limit): "≤ \(text(limit))"
    case .atLeast(let limit): "≥ \(text(limit))"
    case nil: ""
    }
  }

  private func text(_ number: Double) -> String {
    switch abs(number) {
    case 1000...: String(format: "%.0f", number)
    case 100...: String(format: "%.1f", number)
    default: String(format: "%.2f", number)
    }
  }
}
