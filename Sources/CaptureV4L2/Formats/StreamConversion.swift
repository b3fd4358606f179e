import Capture
import Imaging

/// The conversion of a driver's buffers to frames: a copy, or through libv4lconvert or a decoder of
/// video.
struct StreamConversion {
  /// The driver's format.
  let source: DriverFormat
  /// The result of libv4lconvert; nil if frames are copies of the buffers.
  let target: DriverFormat?
  /// Whether two JPEGs in each buffer are woven to a picture.
  let isWoven: Bool
  /// How the planes of a buffer are put together; nil if a buffer has all of them.
  let joint: PlaneJoint?
  let stream: StreamFormat
  /// The most bytes of a compressed buffer.
  let compressedByteCount: Int

  /// - Parameter habit: How the pictures differ from the format.
  /// - Throws: `unsupportedFormat` when the driver's layout is invalid.
  init(
    of source: DriverFormat, rate: FrameRate?, habit: PictureHabits.Habit? = nil
  ) throws(CaptureError) {
    do { try source.size.check() } catch { throw Self.unusable(source, error) }
    self.source = source
    target = try Self.target(for: source)
    isWoven = habit == .fields
    let layout = try Self.layout(of: source, habit, convertedTo: target)
    joint = try Self.joint(of: source, layout)
    let size = ImageSize(
      width: max(source.size.width, layout.size.width),
      height: max(source.size.height, layout.size.height))
    compressedByteCount = max(
      min(source.byteCount, Self.mostCompressed(source.pixelFormat, size)), size.pixelCount)
    stream = StreamFormat(
      layout: layout,
      maximumByteCount: layout.pixelFormat.isCompressed ? compressedByteCount : layout.byteCount,
      frameRate: rate,
      devicePixelFormat: source.pixelFormat
    )
  }

  /// More bytes than a JPEG or a picture of a video takes. Some drivers reserve gigabytes.
  private static func mostCompressed(_ format: PixelFormat, _ size: ImageSize) -> Int {
    format.isVideo ? 2 * size.pixelCount + (1 << 16) : 8 * size.pixelCount + (1 << 20)
  }

  /// Whether frames of this format can be delivered, directly or converted.
  static func isPossible(of format: PixelFormat) -> Bool {
    !needsConversion(format) || ConvertibleFormats.contains(format) || format.isVideo
  }

  /// Whether frames of this format must be converted before use.
  static func needsConversion(_ format: PixelFormat) -> Bool {
    !format.isCompressed && !format.isEncodable && PlaneJoint.format(of: format) == nil
  }

  private static func target(for source: DriverFormat) throws(CaptureError) -> DriverFormat? {
    guard needsConversion(source.pixelFormat), !source.pixelFormat.isVideo else { return nil }
    let hasUnpaddedRows = ConvertibleFormats.hasUnpaddedRows(
      source.pixelFormat,
      width: source.size.width,
      bytesPerLine: source.bytesPerLine
    )
    guard hasUnpaddedRows else {
      throw CaptureError(
        .unsupportedFormat,
        "\(source.pixelFormat) \(source.size) has padded rows here, which cannot be converted: "
          + "take another size or format",
        part: .size
      )
    }
    let target = ConvertibleFormats.target(for: source.pixelFormat, source.size)
    return DriverFormat(size: source.size, pixelFormat: target)
  }

  private static func joint(
    of source: DriverFormat, _ layout: ImageLayout
  ) throws(CaptureError) -> PlaneJoint? {
    let isJoined = PlaneJoint.format(of: source.pixelFormat) != nil
    let joint = isJoined ? PlaneJoint(of: layout, source.planes) : nil
    guard isJoined ? joint != nil : source.planes.count == 1 else {
      throw CaptureError(
        .unsupportedFormat,
        "the driver has \(source.planes.count) buffers for \(source.pixelFormat) \(source.size), which do not suit "
          + "the format: take another format",
        part: .format
      )
    }
    return joint
  }

  private static func layout(
    of source: DriverFormat,
    _ habit: PictureHabits.Habit?,
    convertedTo target: DriverFormat?
  ) throws(CaptureError) -> ImageLayout {
    let format = target ?? source
    do throws(ImagingError) {
      if source.pixelFormat.isCompressed {
        switch habit {
        case .fields:
          return try ImageLayout(size: source.size, pixelFormat: .rgb24, range: .full)
        case .size(let size): return .compressed(source.pixelFormat, size: size)
        case nil: return .compressed(source.pixelFormat, size: source.size)
        }
      }
      if source.pixelFormat.isVideo {
        var size = source.size
        if case .size(let own) = habit { size = own }
        return try ImageLayout(size: size, pixelFormat: .yu12, matrix: source.matrix)
      }
      return try ImageLayout(
        size: format.size,
        pixelFormat: PlaneJoint.format(of: format.pixelFormat) ?? format.pixelFormat,
        bytesPerLine: format.bytesPerLine,
        range: target?.pixelFormat == .rgb24 ? .full : source.range,
        matrix: source.matrix
      )
    } catch {
      throw unusable(source, error)
    }
  }

  private static func unusable(_ source: DriverFormat, _ error: ImagingError) -> CaptureError {
    CaptureError(
      .unsupportedFormat,
      "the driver's layout of \(source.pixelFormat) \(source.size) is unusable: \(error)",
      part: .format
    )
  }
}
