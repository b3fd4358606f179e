/// Makes smaller, turned and zoomed JPEGs from JPEGs, for cameras that deliver MJPEG. Use one per
/// thread.
///
/// It decodes to the smallest of full, half, quarter and eighth size that is at least the target,
/// and scales down from there. Chroma keeps the source's subsampling, turned with the picture.
package final class JPEGScaler {
  private let decoder: JPEGDecoder
  private let compressor: JPEGCompressor
  private let scaler = PlaneScaler()
  private let converter = PlaneConverter()
  private let turner = PlaneTurner()

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    decoder = try JPEGDecoder()
    compressor = try JPEGCompressor()
  }

  /// - Parameters:
  ///   - target: The wanted size, before the picture is turned. A larger value keeps the source's
  ///     size.
  ///   - zoom: 1 or more: the middle of the picture that is kept is smaller by this.
  ///   - quality: 1...100.
  ///   - output: Room for `JPEGEncoder.maximumByteCount(for: target)` bytes.
  /// - Returns: The number of bytes written.
  /// - Throws: `invalidSize`, `shortOutput`, `notJPEG`, `unsupportedFormat` before any work;
  ///   `truncated`, `corrupt`.
  package func scale(
    _ image: RawSpan,
    to target: ImageSize,
    turned orientation: Orientation = .upright,
    zoom: Zoom = 1,
    quality: Int,
    into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    try target.check()
    let header = try decoder.header(image)
    let size = target.clamped(to: header.size)
    try TurboJPEG.checkRoom(output.byteCount, for: size, header.subsampling)
    let decoded = unsafe try decoder.decodePlanes(
      image, header, atLeast: size.enlarged(zoom, within: header.size))
    let planes = unsafe scaler.scale(decoded, to: size, zoom: zoom)
    guard orientation == .upright else {
      return try unsafe compressor.compress(
        turner.turn(planes, orientation), quality: quality, into: &output)
    }
    return try unsafe compressor.compress(
      size, header.subsampling, quality: quality, into: &output
    ) { rows in
      unsafe converter.convert(planes.rows(rows), range: .full, matrix: .bt601)
    }
  }
}
