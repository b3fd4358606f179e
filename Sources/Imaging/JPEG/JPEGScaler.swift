/// Makes smaller JPEGs of JPEGs, for previews of cameras that deliver MJPEG. One belongs to one thread.
package final class JPEGScaler {
  private let decoder: JPEGDecoder
  private let encoder: TurboJPEG
  private let reader = PlaneReader()

  package init() throws(ImagingError) {
    decoder = try JPEGDecoder()
    encoder = try TurboJPEG(.compressor)
  }

  /// - Parameters:
  ///   - target: the size wanted; larger ones are cut to the source's size.
  ///   - quality: 1...100.
  ///   - output: room for `JPEGEncoder.maximumByteCount(for: target)` bytes.
  /// - Returns: the bytes written.
  /// - Throws: `notJPEG`, `truncated`, `corrupt`, `shortOutput`.
  package func scale(
    _ image: RawSpan,
    to target: ImageSize,
    quality: Int,
    into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    guard target.isValid else {
      throw ImagingError(.invalidSize, "\(target) is no size of a picture")
    }
    let planes = unsafe try decoder.decodePlanes(image, atLeast: target)
    let size = unsafe ImageSize(
      width: min(target.width, planes.size.width),
      height: min(target.height, planes.size.height)
    )
    let result =
      unsafe size == planes.size ? planes : reader.scale(planes, to: size, expands: false)
    return unsafe try encoder.compress(result, quality: quality, into: &output)
  }
}
