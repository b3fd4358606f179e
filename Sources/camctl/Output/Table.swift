/// Rows under headings. Each column is as wide as its widest cell.
struct Table {
  private var rows: [[String]]

  init(_ headings: String...) {
    rows = [headings]
  }

  mutating func add(_ cells: String...) {
    rows.append(cells.map { $0.isEmpty ? "-" : $0 })
  }

  func print() {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      let line = cells.joined(separator: "  ")
      StandardOutput.write(line: String(line.reversed().drop { $0 == " " }.reversed()))
    }
  }
}
