import Imaging

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
