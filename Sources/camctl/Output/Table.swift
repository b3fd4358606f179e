import OperatingSystem

/// Rows under headings. Each column is as wide as its widest cell. On a terminal that is too narrow
/// for the table, each cell has a line of its own, behind its heading.
struct Table {
  /// A cell that has a style on a terminal with colours.
  struct Cell {
    var text: String
    var style = Style.plain
  }

  private let headings: [String]
  private var rows: [[Cell]] = []

  init(_ headings: String...) {
    self.headings = headings
  }

  /// Adds a row of strings and ``Cell``s.
  mutating func add(_ cells: any TableCell...) {
    rows.append(
      cells.map { cell in
        let cell = cell.cell
        return Cell(
          text: cell.text.isEmpty ? "-" : ShownText.printable(cell.text), style: cell.style)
      })
  }

  func print() {
    let widths = headings.indices.map { column in
      max(
        ShownText.columns(headings[column]),
        rows.map { ShownText.columns($0[column].text) }.max() ?? 0)
    }
    let width = widths.reduce(-2) { $0 + $1 + 2 }
    if let columns = StandardOutput.columns, width > columns, !rows.isEmpty {
      printStacked(columns)
    } else {
      for row in [headings.map { Cell(text: $0, style: .heading) }] + rows {
        print(row, widths)
      }
    }
  }

  private func print(_ row: [Cell], _ widths: [Int]) {
    var line = ""
    var gap = 0
    for (cell, width) in zip(row, widths) {
      line += String(repeating: " ", count: gap) + StandardOutput.paint(cell.text, cell.style)
      gap = width - ShownText.columns(cell.text) + 2
    }
    StandardOutput.write(painted: line)
  }

  private func printStacked(_ columns: Int) {
    let width = headings.map(\.count).max() ?? 0
    for (index, row) in rows.enumerated() {
      if index > 0 { StandardOutput.write(painted: "") }
      for (heading, cell) in zip(headings, row) where cell.text != "-" {
        let title = ShownText.padded(heading, to: width) + "  "
        let lines = ShownText.wrapped(cell.text, columns: max(1, columns - width - 2), indent: 0)
        for (index, line) in lines.enumerated() {
          let margin =
            index == 0
            ? StandardOutput.paint(title, .heading) : String(repeating: " ", count: width + 2)
          StandardOutput.write(painted: margin + StandardOutput.paint(line, cell.style))
        }
      }
    }
  }
}

/// What can be in a table.
protocol TableCell {
  var cell: Table.Cell { get }
}

extension Table.Cell: TableCell {
  var cell: Table.Cell { self }
}

extension String: TableCell {
  var cell: Table.Cell { Table.Cell(text: self) }

  /// The text in a style.
  func styled(_ style: Style) -> Table.Cell { Table.Cell(text: self, style: style) }
}
