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

  /// How the picture is painted, and what encodes it then if it is to be compressed.
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

  /// The memory that painting a frame needs: an encoder wants room for more than it ever writes.
  static func byteCount(of layout: ImageLayout) -> Int {
    layout.pixelFormat.isCompressed
      ? JPEGEncoder.maximumByteCount(for: layout.size) : layout.byteCount
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
