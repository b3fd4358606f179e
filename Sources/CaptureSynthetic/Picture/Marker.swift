/// The white square with a black core that wanders from left to right, a little every frame.
package enum Marker {
  /// Frames from the left edge to the right one, and then it starts over.
  package static let period: UInt64 = 120

  /// Where the square of a frame is, as shares of the scene: a pure function of the frame's number.
  package static func left(in frame: UInt64) -> Double {
    Double(frame % period) / Double(period - 1) * (1 - side)
  }

  /// The square's side as a share of the scene's width, and its upper edge as a share of the height.
  package static let side = 1.0 / 16
  package static let top = 0.55

  /// The square in a picture of so many blocks, from the outside in.
  static func squares(
    frame: UInt64,
    columns: Int,
    rows: Int,
    settings: PictureSettings
  ) -> [2 of (rect: BlockRect, color: RGB)] {
    let height = side * Double(columns) / Double(rows)
    func square(inset: Double) -> BlockRect {
      let (left, right) = (left(in: frame) + inset * side, left(in: frame) + (1 - inset) * side)
      let (upper, lower) = (top + inset * height, top + (1 - inset) * height)
      return BlockRect(
        columns: blocks(settings.pictureX(left), settings.pictureX(right), of: columns),
        rows: blocks(settings.pictureY(upper), settings.pictureY(lower), of: rows)
      )
    }
    return [
      (square(inset: 0), settings.expose(.white)), (square(inset: 0.3), settings.expose(.black)),
    ]
  }

  private static func blocks(_ a: Double, _ b: Double, of count: Int) -> Range<Int> {
    let first = Int((min(a, b) * Double(count)).rounded())
    return first..<max(first, Int((max(a, b) * Double(count)).rounded()))
  }
}
