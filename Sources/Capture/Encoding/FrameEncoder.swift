import Imaging

/// Makes JPEGs of frames in any format, as their crop and an orientation say, and looks at them.
/// Each worker thread has its own.
final class FrameEncoder {
  private let raw: JPEGEncoder
  private let scaler: JPEGScaler
  private let turner: JPEGTurner
  private let grids: LumaGridReader

  init() throws(ImagingError) {
    raw = try JPEGEncoder()
    scaler = try JPEGScaler()
    turner = try JPEGTurner()
    grids = try LumaGridReader()
  }

  /// The picture as a few cells; nil if it is damaged.
  func grid(of frame: Frame, size: ImageSize) -> LumaGrid? {
    try? frame.withBytes { (bytes) throws(ImagingError) in
      try grids.grid(bytes, layout: frame.layout, size: size)
    }
  }

  /// - Parameters:
  ///   - size: the size to scale down to, before the picture is turned; the caller keeps the
  ///     aspect. Nil keeps the source's size.
  ///   - isReencoded: whether a JPEG gets the quality too, although it could be kept.
  /// - Throws: `encodingFailed` if the source does not match its layout.
  func encode(
    _ source: Frame,
    into draft: inout FrameDraft,
    size: ImageSize?,
    orientation: Orientation,
    quality: Int,
    isReencoded: Bool = false
  ) throws(CaptureError) -> (layout: ImageLayout, byteCount: Int) {
    let target = size ?? source.layout.size
    let zoom = source.metadata.crop
    do throws(ImagingError) {
      let byteCount = try draft.withBytes { (output) throws(ImagingError) in
        try source.withBytes { (input) throws(ImagingError) in
          if !source.layout.pixelFormat.isCompressed {
            return try raw.encode(
              input, layout: source.layout, scaledTo: size, turned: orientation, zoom: zoom,
              quality: quality, into: &output)
          }
          if size == nil, zoom == 1, !isReencoded,
            JPEGTurner.canTurn(try JPEGHeader(input), orientation)
          {
            return try turner.turn(input, orientation, into: &output)
          }
          return try scaler.scale(
            input, to: target, turned: orientation, zoom: zoom, quality: quality, into: &output)
        }
      }
      return (ImageLayout.compressed(.mjpeg, size: orientation.turned(target)), byteCount)
    } catch {
      throw CaptureError(.encodingFailed, "a frame could not be made a JPEG: \(error.message)")
    }
  }
}
