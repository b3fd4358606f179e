extension ImageLayout {
  /// - Throws: `shortInput` if a picture has too few bytes for this layout.
  func check(_ image: RawSpan) throws(ImagingError) {
    guard image.byteCount < byteCount else { return }
    throw ImagingError(
      .shortInput,
      """
      a picture of \(size) in \(pixelFormat) has \(byteCount) bytes, and there are \
      \(image.byteCount)
      """
    )
  }

  /// The range and matrix of the planes that are made of such pictures. libturbojpeg converts RGB
  /// to full range and BT.601, and sensors fill the range of their samples.
  var planeCoding: (range: Range, matrix: Matrix) {
    pixelFormat.hasColorCodes || pixelFormat == .grey ? (range, matrix) : (.full, .bt601)
  }
}
