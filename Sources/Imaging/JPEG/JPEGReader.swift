import CJPEG

/// Reads JPEGs with libjpeg: slower than libturbojpeg, but every colour model and subsampling, and
/// with all its warnings.
enum JPEGReader {
  /// Decodes the picture, and drops the result.
  /// - Throws: `truncated`, `corrupt` or `notJPEG` if something of the picture is missing or wrong.
  ///   Warnings without a meaning for the picture are none.
  static func check(_ image: RawSpan) throws(ImagingError) {
    try unsafe read(image) { bytes, count, message in
      unsafe CJPEG_judge(bytes, count, message)
    }
  }

  /// The size by the headers.
  /// - Throws: `notJPEG`, `truncated`, `corrupt`, `invalidSize`.
  static func size(_ image: RawSpan) throws(ImagingError) -> ImageSize {
    var (width, height) = (Int32(0), Int32(0))
    try unsafe read(image) { bytes, count, message in
      unsafe CJPEG_header(bytes, count, &width, &height, message) ? CJPEG_WHOLE : CJPEG_REFUSED
    }
    let size = ImageSize(width: Int(width), height: Int(height))
    try size.check()
    return size
  }

  /// Decodes to red, green and blue with three bytes a pixel and rows without padding.
  /// - Parameters:
  ///   - size: A result of `TurboJPEG.size(of:atLeast:)`.
  ///   - full: The picture's size.
  /// - Throws: `truncated`, `corrupt`, `notJPEG`.
  static func rgb(
    _ image: RawSpan, _ size: ImageSize, of full: ImageSize
  ) throws(ImagingError) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
    let divisor = [1, 2, 4, 8].first { (full.width + $0 - 1) / $0 == size.width } ?? 1
    try unsafe read(image) { bytes, count, message in
      unsafe CJPEG_read(
        bytes, count, Int32(divisor), &pixels, Int32(size.width), Int32(size.height), message)
    }
    return pixels
  }

  private static func read(
    _ image: RawSpan,
    _ body: (
      UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<CChar>
    ) -> CJPEG_Verdict
  ) throws(ImagingError) {
    guard image.byteCount > 0 else { throw ImagingError(.notJPEG, "the JPEG has no bytes") }
    var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE))
    let verdict = unsafe message.withUnsafeMutableBufferPointer { message in
      unsafe image.withUnsafeBytes { bytes in
        let source = unsafe bytes.bindMemory(to: UInt8.self)
        guard let message = message.baseAddress else { return CJPEG_REFUSED }
        return unsafe body(source.baseAddress, source.count, message)
      }
    }
    guard verdict != CJPEG_WHOLE else { return }
    let bytes = message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    let text = String(decoding: bytes, as: UTF8.self)
    throw ImagingError(TurboJPEG.code(of: text), "libturbojpeg says: \(text)")
  }
}
