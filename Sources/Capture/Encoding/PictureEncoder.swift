import Imaging

/// Makes JPEGs of frames in any format, as their crop and an orientation say. Each worker's thread
/// has its own.
final class PictureEncoder {
  private let raw: JPEGEncoder
  private let scaler: JPEGScaler
  private let turner: JPEGTurner

  init() throws(ImagingError) {
    raw = try JPEGEncoder()
    scaler = try JPEGScaler()
    turner = try JPEGTurner()
  }

  /// - Parameters:
  ///   - output: Room for `JPEGEncoder.maximumByteCount(for:)` bytes.
  ///   - size: The size to scale down to, before the picture is turned; nil keeps the source's.
  ///   - isReencoded: Whether a JPEG gets the quality too, although it could be kept.
  /// - Returns: The number of bytes written.
  func encode(
    _ source: Frame,
    into output: inout MutableRawSpan,
    size: ImageSize?,
    orientation: Orientation,
    zoom: Zoom,
    quality: Int,
    isReencoded: Bool
  ) throws(ImagingError) -> Int {
    let target = size ?? source.layout.size
    return try source.withBytes { (input) throws(ImagingError) in
      if !source.layout.pixelFormat.isCompressed {
        return try raw.encode(
          input, layout: source.layout, scaledTo: size, turned: orientation, zoom: zoom,
          quality: quality, into: &output)
      }
      if target == source.layout.size, zoom == 1, !isReencoded,
        JPEGTurner.canTurn(try JPEGHeader(input), orientation)
      {
        return try turner.turn(input, orientation, into: &output)
      }
      return try scaler.scale(
        input, to: target, turned: orientation, zoom: zoom, quality: quality, into: &output)
    }
  }
}
