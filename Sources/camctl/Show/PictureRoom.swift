import Imaging

/// The room that a picture has on a terminal.
struct PictureRoom: Hashable {
  /// The width and height of a character in pixels.
  struct Cell: Hashable {
    var width: Double
    var height: Double

    /// Smaller than most, for a terminal that does not tell: a picture then takes fewer rows than
    /// are kept free for it.
    static let assumed = Cell(width: 6, height: 12)
  }

  /// The longest side of a drawn picture, whatever the terminal says of its size.
  static let longestSide = 4096

  var columns: Int
  /// Nil where nothing limits the height, as in a file.
  var rows: Int?
  var cell = Cell.assumed

  /// The size in which a picture is drawn, in the form's own pixels: the largest that fits and is
  /// not larger than the picture.
  /// - Parameter scale: At most 1; smaller values make a smaller picture.
  func size(of picture: ImageSize, as form: PictureForm, scale: Double = 1) -> ImageSize {
    let shape = shape(of: form)
    let room = (
      width: Double(columns) * shape.perColumn, height: Double(rows ?? 10_000) * shape.perRow
    )
    // How many of the form's pixels are as high as one of them is wide.
    let height = Double(picture.height) * shape.aspect
    let limit = Double(Self.longestSide)
    let factor =
      scale
      * min(
        1, min(room.width, limit) / Double(picture.width), min(room.height, limit) / height)
    return ImageSize(
      width: max(1, Int((Double(picture.width) * factor + 1e-9).rounded(.down))),
      height: max(1, Int((height * factor + 1e-9).rounded(.down))))
  }

  /// The rows of characters that a drawn picture takes.
  func rows(of size: ImageSize, as form: PictureForm) -> Int {
    Int((Double(size.height) / shape(of: form).perRow).rounded(.up))
  }

  /// How many of the form's pixels make a column and a row, and how wide one is by its height.
  private func shape(
    of form: PictureForm
  ) -> (perColumn: Double, perRow: Double, aspect: Double) {
    switch form {
    case .sixel: (cell.width, cell.height, 1)
    case .blocks: (1, 2, 2 * cell.width / cell.height)
    case .text: (1, 1, cell.width / cell.height)
    }
  }
}
