import Capture
import Imaging

/// Paints a stream's pictures: the background once for every change of the controls, the rest on a copy of it.
struct FramePainter: ~Copyable {
  /// Painted by hand and then encoded, where the stream is compressed.
  private let encoder: JPEGEncoder?
  private let layout: ImageLayout
  private let raster: BlockRaster
  private let quality: Int
  private let foreground: Foreground
  private var background: [UInt8]
  private var backgroundSettings: PictureSettings?
  private var canvas: [UInt8]

  init(_ format: StreamFormat, quality: Int, showsCaption: Bool) throws(CaptureError) {
    let isCompressed = format.layout.pixelFormat.isCompressed
    layout = isCompressed ? .packed(format.layout.size, .yu12) : format.layout
    guard let blocks = BlockFormat(layout.pixelFormat) else {
      throw SyntheticFormats.refusal(of: format.layout.pixelFormat)
    }
    do {
      encoder = isCompressed ? try JPEGEncoder() : nil
    } catch {
      throw CaptureError(.encodingFailed, "\(error)")
    }
    raster = BlockRaster(format: blocks, size: layout.size)
    self.quality = quality
    foreground = Foreground(raster: raster, showsCaption: showsCaption)
    background = Array(repeating: 0, count: raster.byteCount)
    canvas = isCompressed ? background : []
  }

  /// Paints one frame.
  ///
  /// - Returns: The bytes that it takes.
  /// - Throws: `encodingFailed`.
  mutating func paint(
    _ strip: FrameStrip,
    _ settings: PictureSettings,
    into draft: inout FrameDraft
  ) throws(CaptureError) -> Int {
    paintBackground(settings)
    guard let encoder else {
      draft.withBytes { memory in
        unsafe memory.copyBytes(of: background.span.bytes)
        foreground.paint(strip, settings, into: &memory)
      }
      return raster.byteCount
    }
    paintCanvas(strip, settings)
    do {
      return try draft.withBytes { (memory) throws(ImagingError) in
        try unsafe encoder.encode(
          canvas.span.bytes,
          layout: layout,
          scaledTo: nil,
          quality: quality,
          into: &memory
        )
      }
    } catch {
      throw CaptureError(.encodingFailed, "\(error)")
    }
  }

  private mutating func paintBackground(_ settings: PictureSettings) {
    guard settings != backgroundSettings else { return }
    backgroundSettings = settings
    let painter = Background(settings, raster: raster)
    var span = background.mutableSpan
    var memory = unsafe span.mutableBytes
    painter.paint(into: &memory)
  }

  private mutating func paintCanvas(_ strip: FrameStrip, _ settings: PictureSettings) {
    let (background, foreground) = (background, foreground)
    var span = canvas.mutableSpan
    var memory = unsafe span.mutableBytes
    unsafe memory.copyBytes(of: background.span.bytes)
    foreground.paint(strip, settings, into: &memory)
  }
}
