/// A white square with a black core that moves from left to right, a little with every frame.
package enum Marker {
  /// The number of frames from the left edge to the right one. Then the marker starts over.
  package static let period: UInt64 = 120

  /// The square's left edge as a share of the scene's width. It depends only on the frame's number.
  package static func left(in frame: UInt64) -> Double {
    Double(frame % period) / Double(period - 1) * (1 - side)
  }

  /// The square's side as a share of the scene's width, and its upper edge as a share of the
  /// height.
  package static let side = 1.0 / 16
  package static let top = 0.55

  /// The marker's squares in a picture of this many blocks, from the outside in.
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
