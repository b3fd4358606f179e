import Imaging

/// The pixel formats that libv4lconvert 1.22 reads and that cannot be encoded directly.
///
/// It also reads the formats of sensors, which are delivered as they are, because a conversion to 8
/// bits and to colours loses what they are for.
///
/// The library does not list its formats, and for most of them it ignores row padding
/// (`v4lconvert_convert_pixfmt`). So this list also has the bits per pixel in the first plane.
enum ConvertibleFormats {
  private static let rows: [(bitsPerPixel: Int, formats: String)] = [
    (8, "NV61 Y04 Y06"),
    (10, "Y10B"),
    (16, "RGBP"),
    (32, "RGB4 BGR4 XR24 BX24 AR24 BA24"),
  ]
  /// Formats of old webcams, compressed or in an order of their own: those that contain YUV, and
  /// the others.
  private static let packedYUV = "S501 S505 S508 CITV KONI S920 M420 HM12 CPIA PJPG"
  private static let packedBayer = "S680 S561 S910 SONX P207 M310 905C S401"

  private static let bitsPerPixel = rows.reduce(into: [PixelFormat: Int]()) { table, row in
    for format in formats(row.formats) { table[format] = row.bitsPerPixel }
  }
  private static let packed = Set(formats(packedYUV) + formats(packedBayer))
  private static let yuv = Set(formats(packedYUV) + formats("NV61"))

  static func contains(_ format: PixelFormat) -> Bool {
    bitsPerPixel[format] != nil || packed.contains(format)
  }

  /// The best format to convert to.
  ///
  /// YUV stays YUV in its own range, because the library's conversion to RGB treats all YUV as full
  /// range. Other formats become RGB, because some of the library's conversions to YUV are wrong:
  /// RGB565 exchanges red and blue.
  static func target(for format: PixelFormat, _ size: ImageSize) -> PixelFormat {
    let isEven = size.width % 2 == 0 && size.height % 2 == 0
    return yuv.contains(format) && isEven ? .yu12 : .rgb24
  }

  /// Whether rows of `bytesPerLine` have no padding. True for formats without rows.
  static func hasUnpaddedRows(_ format: PixelFormat, width: Int, bytesPerLine: Int) -> Bool {
    bitsPerPixel[format].map { width * $0 / 8 == bytesPerLine } ?? true
  }

  private static func formats(_ codes: String) -> [PixelFormat] {
    codes.split(separator: " ").compactMap { PixelFormat(code: $0) }
  }
}

extension PixelFormat {
  /// Compressed video that is not decoded.
  private static let otherVideo = Set(
    [
      "AVC1", "M264", "S264", "H265", "HVC1", "S265", "H263", "MPEG", "MPG1",
      "MPG2", "MPG4", "MG2S", "XVID", "VC1G", "VC1L", "VP80", "VP8F", "VP90", "VP9F", "AV01",
      "AV1F", "FWHT",
    ]
    .compactMap { PixelFormat(code: $0) })
  /// YUV of 10 to 16 bits.
  private static let deepVideo = Set(
    ["P010", "P012", "P016", "P210", "PM10", "PM12", "NV15", "NV20", "Y210", "Y212", "Y216"]
      .compactMap { PixelFormat(code: $0) })

  /// Why its frames cannot be delivered.
  var problem: String {
    if Self.otherVideo.contains(self) {
      return
        "compressed video: its frames are no pictures by themselves, and the node does not decode it"
    }
    return Self.deepVideo.contains(self)
      ? "YUV of more than 8 bits, which neither the node nor libv4lconvert reads"
      : "neither the node nor libv4lconvert reads this pixel format"
  }

  /// Makes a format from a code, in which case matters.
  fileprivate init?(code: some StringProtocol) {
    let letters = Array(code.utf8)
    guard (1...4).contains(letters.count) else { return nil }
    let padded = letters + Array(repeating: UInt8(ascii: " "), count: 4 - letters.count)
    self.init(rawValue: padded.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }
}
