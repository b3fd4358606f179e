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

extension PixelFormat {
  /// Whether JPEGs can be made of frames in this format, or the frames are JPEGs.
  package var makesPictures: Bool { isCompressed || isEncodable }
}

extension StreamFormat {
  /// Why there are no photos, movies and encoded streams of frames in this format; nil if there
  /// are.
  package var pictureRefusal: CaptureError? {
    guard !layout.pixelFormat.makesPictures else { return nil }
    return CaptureError(
      .unsupportedFormat,
      "no JPEG can be made of \(layout.pixelFormat) frames: give the camera another of its formats, "
        + "or subscribe to its stream raw"
    )
  }
}
