/// A width and height in pixels.
package struct ImageSize: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The largest accepted width or height. A larger value is taken for a mistake.
  package static let maximum = 16_384

  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var description: String { "\(width)x\(height)" }

  package var isValid: Bool {
    (1...Self.maximum).contains(width) && (1...Self.maximum).contains(height)
  }

  /// - Throws: `invalidSize`.
  package func check() throws(ImagingError) {
    guard isValid else {
      throw ImagingError(
        .invalidSize,
        "no picture is \(self): sizes go from 1x1 to \(Self.maximum)x\(Self.maximum)"
      )
    }
  }

  /// This size times a zoom, rounded up, but at most as large as another one.
  func enlarged(_ zoom: Zoom, within limit: ImageSize) -> ImageSize {
    let enlarge = { (length: Int, factor: Double, limit: Int) in
      Int(min(Double(limit), (Double(length) * factor).rounded(.up)))
    }
    return ImageSize(
      width: enlarge(width, zoom.horizontal, limit.width),
      height: enlarge(height, zoom.vertical, limit.height))
  }

  /// The smaller of the two in each direction.
  func clamped(to other: ImageSize) -> ImageSize {
    ImageSize(width: min(width, other.width), height: min(height, other.height))
  }
}
