import Capture
import Imaging

/// Paints a stream's pictures. The background is painted once per change of the controls, and each
/// frame is painted on a copy of it.
struct FramePainter: ~Copyable {
  /// Encodes the painted picture if the stream is compressed.
  private let encoder: JPEGEncoder?
  private let layout: ImageLayout
  private let raster: BlockRaster
  private let quality: Int
  private let foreground: Foreground
  private var background: [UInt8]
  private var backgroundSettings: PictureSettings?
  private var canvas: [UInt8]

  /// - Throws: `unsupportedFormat`, `encodingFailed`.
  init(_ format: StreamFormat, quality: Int, showsCaption: Bool) throws(CaptureError) {
    let (layout, encoder) = try Self.canvas(for: format.layout)
    guard let raster = BlockRaster(layout) else {
      throw SyntheticFormats.refusal(of: layout.pixelFormat)
    }
    self.layout = layout
    self.encoder = encoder
    self.raster = raster
    self.quality = quality
    foreground = Foreground(raster: raster, showsCaption: showsCaption)
    background = Array(repeating: 0, count: raster.byteCount)
    canvas = encoder == nil ? [] : background
  }

  /// The layout in which the picture is painted, and the encoder of a compressed stream.
  private static func canvas(
    for layout: ImageLayout
  ) throws(CaptureError) -> (ImageLayout, JPEGEncoder?) {
    guard layout.pixelFormat.isCompressed else { return (layout, nil) }
    do throws(ImagingError) {
      let canvas = try ImageLayout(size: layout.size, pixelFormat: .yu12, range: .full)
      return (canvas, try JPEGEncoder())
    } catch {
      throw CaptureError(.encodingFailed, error.message)
    }
  }

  /// The memory that painting a frame needs. The encoder demands more room than it ever uses.
  static func byteCount(of layout: ImageLayout) -> Int {
    layout.pixelFormat.isCompressed
      ? JPEGEncoder.maximumByteCount(for: layout.size) : layout.byteCount
  }

  /// Paints one frame.
  ///
  /// - Returns: The number of bytes written.
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
    do throws(ImagingError) {
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
      throw CaptureError(.encodingFailed, error.message)
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
