package import Imaging

/// How pictures are made of a camera's frames.
package struct PictureKind: Hashable, Sendable {
  /// Turned frames are scaled down to fit into this; nil keeps the camera's size.
  package var bound: ImageSize?
  package var orientation: Orientation
  /// JPEG quality, 1...100.
  package var quality: Int
  /// Whether the camera's own JPEGs get this quality too.
  package var isReencoded: Bool
  /// Whether other streams are encoded first.
  package var rank: EncoderPool.Rank

  package init(
    fitting bound: ImageSize? = nil, orientation: Orientation = .upright, quality: Int,
    isReencoded: Bool = false, rank: EncoderPool.Rank = .first
  ) {
    self.bound = bound
    self.orientation = orientation
    self.quality = quality
    self.isReencoded = isReencoded
    self.rank = rank
  }
}
