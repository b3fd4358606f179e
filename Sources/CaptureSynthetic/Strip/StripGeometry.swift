/// Where the strip's cells are in a picture, in shares of its width, so that scaling leaves them in place.
///
/// Cells are squares. There are 80 in a row where that makes them at least 8 pixels wide, else 40, else 20; a cell of
/// 8 pixels survives JPEG down to quality 50 and scaling to one half.
struct StripGeometry: Sendable {
  let cellsPerRow: Int
  var rows: Int { FrameStrip.byteCount * 8 / cellsPerRow }

  static let all = [80, 40, 20].map { StripGeometry(cellsPerRow: $0) }
  /// The narrowest picture whose cells have 8 pixels.
  static let minimumWidth = 160

  private init(cellsPerRow: Int) {
    self.cellsPerRow = cellsPerRow
  }

  /// What pictures of that many pixels' width are painted with.
  init(width: Int) {
    self = Self.all.first { width / $0.cellsPerRow >= 8 } ?? Self.all[Self.all.count - 1]
  }

  /// The cell's block in a picture of so many blocks.
  func rect(of cell: Int, columns: Int, rows pictureRows: Int) -> BlockRect {
    let (row, column) = cell.quotientAndRemainder(dividingBy: cellsPerRow)
    func scaled(_ cells: Int) -> Int { cells * columns / cellsPerRow }
    return BlockRect(
      columns: scaled(column)..<scaled(column + 1),
      rows: (pictureRows - scaled(rows - row))..<(pictureRows - scaled(rows - row - 1))
    )
  }

  /// The middle of a cell in a picture of so many pixels.
  func center(of cell: Int, width: Int, height: Int) -> (x: Double, y: Double) {
    let (row, column) = cell.quotientAndRemainder(dividingBy: cellsPerRow)
    let side = side(width: width)
    return ((Double(column) + 0.5) * side, Double(height) - (Double(rows - row) - 0.5) * side)
  }

  /// A cell's side in pixels.
  func side(width: Int) -> Double { Double(width) / Double(cellsPerRow) }
}
