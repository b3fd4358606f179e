/// The positions of the strip's cells as shares of the picture's width, so that they survive
/// scaling.
///
/// Cells are squares. A row has 80 of them if that makes them at least 8 pixels wide, otherwise 40
/// or 20. Cells of 8 pixels survive JPEG of quality 50 and scaling to one half.
struct StripGeometry: Sendable {
  let cellsPerRow: Int
  var rows: Int { FrameStrip.byteCount * 8 / cellsPerRow }

  static let all = [80, 40, 20].map { StripGeometry(cellsPerRow: $0) }
  /// The narrowest picture whose cells are 8 pixels wide.
  static let minimumWidth = 160

  private init(cellsPerRow: Int) {
    self.cellsPerRow = cellsPerRow
  }

  /// The geometry for painting pictures of this width in pixels.
  init(width: Int) {
    self = Self.all.first { width / $0.cellsPerRow >= 8 } ?? Self.all[Self.all.count - 1]
  }

  /// The area of a cell in a picture of this many blocks.
  func rect(of cell: Int, columns: Int, rows pictureRows: Int) -> BlockRect {
    let (row, column) = cell.quotientAndRemainder(dividingBy: cellsPerRow)
    func scaled(_ cells: Int) -> Int { cells * columns / cellsPerRow }
    return BlockRect(
      columns: scaled(column)..<scaled(column + 1),
      rows: (pictureRows - scaled(rows - row))..<(pictureRows - scaled(rows - row - 1))
    )
  }

  /// The centre of a cell in a picture of this many pixels.
  func center(of cell: Int, width: Int, height: Int) -> (x: Double, y: Double) {
    let (row, column) = cell.quotientAndRemainder(dividingBy: cellsPerRow)
    let side = side(width: width)
    return ((Double(column) + 0.5) * side, Double(height) - (Double(rows - row) - 0.5) * side)
  }

  /// A cell's side in pixels.
  func side(width: Int) -> Double { Double(width) / Double(cellsPerRow) }
}
