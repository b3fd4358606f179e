import Imaging

/// The pixel formats that libv4lconvert 1.22 reads and that cannot be encoded as they are.
///
/// The library does not tell what it knows, and it reads most formats as if their rows had no padding, whatever the
/// driver says (`v4lconvert_convert_pixfmt`). Hence this list, with the bits that a pixel takes in the first plane.
enum ConvertibleFormats {
  private static let rows: [(bitsPerPixel: Int, formats: String)] = [
    (8, "NV61 BA81 GBRG GRBG RGGB Y04 Y06"),
    (10, "pBAA pGAA pgAA pRAA Y10B"),
    (16, "RGBP BG10 GB10 BA10 RG10 BYR2 GB16 GR16 RG16 Y16 Y16-BE"),
    (32, "RGB4 BGR4 XR24 BX24 AR24 BA24"),
  ]
  /// What webcams of old send, compressed or in an order of their own: with YUV in it, and without.
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

  /// What a format is best converted to.
  ///
  /// YUV stays YUV, in its own range, for the library's way from there to RGB takes all for full range. The others become
  /// RGB, for its ways into YUV are not all right: RGB565 comes out with red and blue exchanged.
  static func target(for format: PixelFormat, _ size: ImageSize) -> PixelFormat {
    let isEven = size.width % 2 == 0 && size.height % 2 == 0
    return yuv.contains(format) && isEven ? .yu12 : .rgb24
  }

  /// Whether rows of so many bytes end with their last pixel, as far as the format has rows.
  static func hasUnpaddedRows(_ format: PixelFormat, width: Int, bytesPerLine: Int) -> Bool {
    bitsPerPixel[format].map { width * $0 / 8 == bytesPerLine } ?? true
  }

  private static func formats(_ codes: String) -> [PixelFormat] {
    codes.split(separator: " ").compactMap { PixelFormat(code: $0) }
  }
}

extension PixelFormat {
  /// The format of a code whose letters are meant as they are, upper and lower case.
  fileprivate init?(code: some StringProtocol) {
    let isBigEndian = code.hasSuffix("-BE")
    let letters = Array((isBigEndian ? code.dropLast(3)[...] : code[...]).utf8)
    guard (1...4).contains(letters.count) else { return nil }
    let padded = letters + Array(repeating: UInt8(ascii: " "), count: 4 - letters.count)
    let value = padded.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    self.init(rawValue: isBigEndian ? value | 1 << 31 : value)
  }
}
