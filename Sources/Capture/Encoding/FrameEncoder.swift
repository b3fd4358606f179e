import Imaging

/// What a worker's thread makes of frames: JPEGs, files of photos, and looks at them.
final class FrameEncoder {
  let developer: PhotoDeveloper
  let chooser: PictureChooser
  private let pictures: PictureEncoder
  private let grids: LumaGridReader

  /// - Throws: `encodingFailed` if libjpeg-turbo cannot be set up.
  init() throws(CaptureError) {
    do throws(ImagingError) {
      pictures = try PictureEncoder()
      let reader = try PictureReader()
      developer = PhotoDeveloper(pictures, reader)
      chooser = PictureChooser(reader)
      grids = try LumaGridReader()
    } catch {
      throw CaptureError(.encodingFailed, "no JPEG encoder: \(error.message)")
    }
  }

  /// The picture as a few cells; nil if it is damaged.
  func grid(of frame: Frame, size: ImageSize) -> LumaGrid? {
    try? frame.withBytes { (bytes) throws(ImagingError) in
      try grids.grid(bytes, layout: frame.layout, size: size)
    }
  }

  /// Makes a JPEG.
  /// - Parameters: Those of ``PictureEncoder``.
  /// - Throws: `encodingFailed` if the source does not match its layout.
  func encode(
    _ source: Frame,
    into draft: inout FrameDraft,
    size: ImageSize?,
    orientation: Orientation,
    quality: Int,
    isReencoded: Bool = false
  ) throws(CaptureError) -> (layout: ImageLayout, byteCount: Int) {
    do throws(ImagingError) {
      let byteCount = try draft.withBytes { (output) throws(ImagingError) in
        try pictures.encode(
          source, into: &output, size: size, orientation: orientation,
          zoom: Zoom(source.metadata.crop), quality: quality, isReencoded: isReencoded)
      }
      let turned = orientation.turned(size ?? source.layout.size)
      return (ImageLayout.compressed(.mjpeg, size: turned), byteCount)
    } catch {
      throw CaptureError(.encodingFailed, "a frame could not be made a JPEG: \(error.message)")
    }
  }
}
