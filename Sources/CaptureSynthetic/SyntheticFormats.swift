import Capture
import Imaging

/// The formats of the synthetic camera: every pixel format at every even size and every rate within
/// its limits. The list names common ones.
enum SyntheticFormats {
  /// The smallest picture has room for the strip; the largest is typical of current sensors.
  static let widths = StripGeometry.minimumWidth...4096
  static let heights = 120...2304
  static let rates = 1.0...240.0

  /// In order of preference, with the kernel's names.
  static let pixelFormats: [(format: PixelFormat, summary: String)] = [
    (.mjpeg, "Motion-JPEG"),
    (.yuyv, "YUYV 4:2:2"),
    (.uyvy, "UYVY 4:2:2"),
    (.nv12, "Y/UV 4:2:0"),
    (.yu12, "Planar YUV 4:2:0"),
    (.grey, "8-bit Greyscale"),
    (.rgb24, "24-bit RGB 8-8-8"),
    (.bgr24, "24-bit BGR 8-8-8"),
    (.bayerRGGB8, "8-bit Bayer RGRG/GBGB"),
    (.bayerRGGB10, "10-bit Bayer RGRG/GBGB"),
    (.bayerRGGB12, "12-bit Bayer RGRG/GBGB"),
    (.bayerRGGB12P, "12-bit Bayer RGRG/GBGB Packed"),
    (.bayerRGGB16, "16-bit Bayer RGRG/GBGB"),
    (.y10, "10-bit Greyscale"),
    (.y12, "12-bit Greyscale"),
    (.y16, "16-bit Greyscale"),
    (.z16, "16-bit Depth"),
    // No JPEG is made of it, so programs can be tried with such a camera.
    (.rgb565, "16-bit RGB 5-6-5"),
  ]

  private static let commonSizes = [
    ImageSize(width: 640, height: 360), ImageSize(width: 640, height: 480),
    ImageSize(width: 1280, height: 720), ImageSize(width: 1920, height: 1080),
    ImageSize(width: 3840, height: 2160),
  ]
  private static let commonRates = [60.0, 30, 25, 15, 10, 5]

  /// The common sizes and rates. Those of the specification come first.
  static func all(_ specification: SyntheticSpecification) -> [CameraFormat] {
    let sizes = [specification.size] + commonSizes.filter { $0 != specification.size }
    let rates = Set(commonRates + [specification.framesPerSecond]).sorted(by: >)
      .compactMap(FrameRate.init(framesPerSecond:))
    let own = pixelFormats.filter { $0.format == specification.pixelFormat }
    let others = pixelFormats.filter { $0.format != specification.pixelFormat }
    return (own + others).flatMap { pixelFormat in
      sizes.map { size in
        CameraFormat(
          pixelFormat: pixelFormat.format,
          size: size,
          frameRates: rates,
          summary: pixelFormat.summary
        )
      }
    }
  }

  /// The stream format for a request. The specification supplies what the request leaves open.
  ///
  /// - Throws: `unsupportedFormat`, naming valid values.
  static func resolve(
    _ request: FormatRequest,
    _ specification: SyntheticSpecification
  ) throws(CaptureError) -> StreamFormat {
    let size = request.size ?? specification.size
    let pixelFormat = request.pixelFormat ?? specification.pixelFormat
    try check(size)
    try check(pixelFormat)
    let rate = try rate(request.framesPerSecond ?? specification.framesPerSecond)
    let layout = try layout(size, pixelFormat)
    return StreamFormat(
      layout: layout,
      // A compressed frame has at most two bytes per pixel, as with USB cameras.
      maximumByteCount: pixelFormat.isCompressed ? size.width * size.height * 2 : layout.byteCount,
      frameRate: rate,
      devicePixelFormat: pixelFormat
    )
  }

  /// Luma with chroma is in the limited range, as with cameras. Luma alone and the
  /// samples of sensors use the full range.
  private static func layout(
    _ size: ImageSize,
    _ format: PixelFormat
  ) throws(CaptureError) -> ImageLayout {
    guard !format.isCompressed else { return .compressed(format, size: size) }
    let isFull = format == .grey || format.isSensorData
    do throws(ImagingError) {
      return try ImageLayout(
        size: size,
        pixelFormat: format,
        range: isFull ? .full : .limited
      )
    } catch {
      throw CaptureError(.unsupportedFormat, error.message, part: .format)
    }
  }

  /// - Throws: `unsupportedFormat`, naming valid values.
  static func check(_ format: PixelFormat) throws(CaptureError) {
    guard pixelFormats.contains(where: { $0.format == format }) else { throw refusal(of: format) }
  }

  /// - Throws: `unsupportedFormat`, naming valid values.
  static func check(_ size: ImageSize) throws(CaptureError) {
    guard widths.contains(size.width), heights.contains(size.height),
      size.width.isMultiple(of: 2), size.height.isMultiple(of: 2)
    else {
      throw CaptureError(
        .unsupportedFormat,
        """
        the synthetic camera has no size \(size.width)x\(size.height): width and height are even, from \
        \(widths.lowerBound)x\(heights.lowerBound) to \(widths.upperBound)x\(heights.upperBound)
        """,
        part: .size
      )
    }
  }

  /// - Throws: `unsupportedFormat`, naming valid values.
  static func rate(_ framesPerSecond: Double) throws(CaptureError) -> FrameRate {
    guard rates.contains(framesPerSecond), let rate = FrameRate(framesPerSecond: framesPerSecond)
    else {
      throw CaptureError(
        .unsupportedFormat,
        "the synthetic camera cannot take \(framesPerSecond) frames a second: choose 1 to 240",
        part: .rate
      )
    }
    return rate
  }

  static func refusal(of format: PixelFormat) -> CaptureError {
    let names = pixelFormats.map(\.format.name).joined(separator: ", ")
    return CaptureError(
      .unsupportedFormat,
      "the synthetic camera has no format \(format.name): it has \(names)",
      part: .format
    )
  }
}
