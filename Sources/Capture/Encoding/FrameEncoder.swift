import Imaging

/// Makes JPEGs of frames in any format, and looks at them. Each worker thread has its own.
final class FrameEncoder {
  private let raw: JPEGEncoder
  private let scaler: JPEGScaler
  private let grids: LumaGridReader

  init() throws(ImagingError) {
    raw = try JPEGEncoder()
    scaler = try JPEGScaler()
    grids = try LumaGridReader()
  }

  /// The picture as a few cells; nil if it is damaged.
  func grid(of frame: Frame) -> LumaGrid? {
    try? frame.withBytes { (bytes) throws(ImagingError) in
      try grids.grid(bytes, layout: frame.layout)
    }
  }

  /// - Parameters:
  ///   - size: the size to scale down to; the caller keeps the aspect. Nil keeps the source's size.
  /// - Throws: `encodingFailed` if the source does not match its layout.
  func encode(
    _ source: Frame,
    into draft: inout FrameDraft,
    size: ImageSize?,
    quality: Int
  ) throws(CaptureError) -> (layout: ImageLayout, byteCount: Int) {
    let target = size ?? source.layout.size
    do throws(ImagingError) {
      let byteCount = try draft.withBytes { (output) throws(ImagingError) in
        try source.withBytes { (input) throws(ImagingError) in
          source.layout.pixelFormat.isCompressed
            ? try scaler.scale(input, to: target, quality: quality, into: &output)
            : try raw.encode(
              input,
              layout: source.layout,
              scaledTo: size,
              quality: quality,
              into: &output
            )
        }
      }
      return (ImageLayout.compressed(.mjpeg, size: target), byteCount)
    } catch {
      throw CaptureError(.encodingFailed, "a frame could not be made a JPEG: \(error.message)")
    }
  }
}
