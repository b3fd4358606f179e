import Imaging

/// Makes JPEGs of frames in any format; one of them belongs to each worker thread.
final class FrameEncoder {
  private let raw: JPEGEncoder
  private let scaler: JPEGScaler

  init() throws(ImagingError) {
    raw = try JPEGEncoder()
    scaler = try JPEGScaler()
  }

  /// - Parameters:
  ///   - size: what to scale down to, keeping the aspect the caller chose; nil keeps the source's size.
  /// - Throws: `encodingFailed` when the source is not what its layout says.
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
