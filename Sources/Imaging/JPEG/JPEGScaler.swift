/// Makes smaller JPEGs of JPEGs, for previews of cameras that deliver MJPEG. One belongs to one thread.
///
/// It decodes to the smallest of the picture's size, half, quarter and eighth that is not below what is wanted, and
/// scales the rest of the way by itself. Chroma stays as the source has it.
package final class JPEGScaler {
  private let decoder: JPEGDecoder
  private let compressor: JPEGCompressor
  private let scaler = PlaneScaler()
  private let converter = PlaneConverter()

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    decoder = try JPEGDecoder()
    compressor = try JPEGCompressor()
  }

  /// - Parameters:
  ///   - target: The size wanted; where it is larger, the source's own is kept.
  ///   - quality: 1...100.
  ///   - output: Room for `JPEGEncoder.maximumByteCount(for: target)` bytes.
  /// - Returns: The bytes written.
  /// - Throws: `invalidSize`, `shortOutput`, `notJPEG`, `unsupportedFormat` before any work; `truncated`, `corrupt`.
  package func scale(
    _ image: RawSpan,
    to target: ImageSize,
    quality: Int,
    into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    try target.check()
    let header = try decoder.header(image)
    let size = target.clamped(to: header.size)
    try TurboJPEG.checkRoom(output.byteCount, for: size, header.subsampling)
    let decoded = unsafe try decoder.decodePlanes(image, header, atLeast: size)
    let planes = unsafe scaler.scale(decoded, to: size)
    return try unsafe compressor.compress(
      size, header.subsampling, quality: quality, into: &output
    ) { rows in
      unsafe converter.convert(planes.rows(rows), range: .full, matrix: .bt601)
    }
  }
}
