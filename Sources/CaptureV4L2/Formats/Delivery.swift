import Capture
import Imaging

/// How a driver's buffers become frames: as they are, or through libv4lconvert.
struct Delivery {
  /// As the driver has it set.
  let source: DriverFormat
  /// What libv4lconvert makes of it; nil where a frame is a copy of the buffer.
  let target: DriverFormat?
  let stream: StreamFormat

  /// - Throws: `unsupportedFormat` when the driver's layout makes no sense.
  init(of source: DriverFormat, rate: FrameRate?) throws(CaptureError) {
    self.source = source
    target = Self.target(for: source)
    let layout = try Self.layout(of: source, convertedTo: target)
    stream = StreamFormat(
      layout: layout,
      maximumByteCount: layout.pixelFormat.isCompressed
        ? max(source.byteCount, source.size.pixelCount) : layout.byteCount,
      frameRate: rate,
      devicePixelFormat: source.pixelFormat
    )
  }

  /// Whether frames of this format cannot be used as they are.
  static func needsConversion(_ format: PixelFormat) -> Bool {
    !format.isCompressed && !format.isEncodable
  }

  /// YU12 costs least afterwards, but has no odd sizes.
  private static func target(for source: DriverFormat) -> DriverFormat? {
    guard needsConversion(source.pixelFormat) else { return nil }
    let isEven = source.size.width % 2 == 0 && source.size.height % 2 == 0
    return DriverFormat(size: source.size, pixelFormat: isEven ? .yu12 : .rgb24)
  }

  private static func layout(
    of source: DriverFormat,
    convertedTo target: DriverFormat?
  ) throws(CaptureError) -> ImageLayout {
    guard !source.pixelFormat.isCompressed else {
      return .compressed(source.pixelFormat, size: source.size)
    }
    let format = target ?? source
    do throws(ImagingError) {
      return try ImageLayout(
        size: format.size,
        pixelFormat: format.pixelFormat,
        bytesPerLine: format.bytesPerLine,
        range: source.range
      )
    } catch {
      throw CaptureError(
        .unsupportedFormat,
        "the driver's layout of \(source.pixelFormat) \(source.size) is unusable: \(error)",
        field: "format"
      )
    }
  }
}
