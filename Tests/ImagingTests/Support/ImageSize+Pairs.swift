import Imaging

extension ImageSize {
  /// Sizes by width and height.
  static func each(_ pairs: (Int, Int)...) -> [ImageSize] {
    pairs.map { ImageSize(width: $0.0, height: $0.1) }
  }
}
