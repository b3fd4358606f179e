import CTurboJPEG

/// Decodes JPEGs and keeps its memory between pictures. Use one per thread.
///
/// A damaged picture is an error, even if a part of it could be shown. A stray byte before a
/// marker, which many USB cameras produce, is accepted. Streams without Huffman tables, such as
/// AVI's motion JPEG, are decoded with the standard tables.
package final class JPEGDecoder {
  private let codec: TurboJPEG
  private let buffer = PlaneBuffer()

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    codec = try TurboJPEG(.decompressor)
  }

  /// Decodes to red, green and blue with three bytes a pixel and rows without padding.
  /// - Parameter target: If given, the result has the smallest of full, half, quarter and eighth
  ///   size that is at least this large.
  /// - Throws: `notJPEG`, `truncated`, `corrupt`, `invalidSize`, `unsupportedFormat`.
  package func decodeRGB(
    _ image: RawSpan,
    atLeast target: ImageSize? = nil
  ) throws(ImagingError) -> (size: ImageSize, pixels: [UInt8]) {
    let full = try codec.header(image).size
    let size = target.map { TurboJPEG.size(of: full, atLeast: $0) } ?? full
    var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
    try codec.decompress(image, to: size, rgb: &pixels)
    return (size, pixels)
  }

  /// The size of a picture, by its headers alone.
  /// - Throws: `notJPEG`, `truncated`, `corrupt`, `invalidSize`, `unsupportedFormat`.
  package func size(of image: RawSpan) throws(ImagingError) -> ImageSize {
    try codec.header(image).size
  }

  /// - Throws: `notJPEG`, `truncated`, `corrupt`, `invalidSize`, `unsupportedFormat`.
  func header(_ image: RawSpan) throws(ImagingError) -> TurboJPEG.Header {
    try codec.header(image)
  }

  /// Decodes to planes in full range and BT.601. They are in this object's memory and valid until
  /// the next call.
  /// - Parameters:
  ///   - header: This image's header.
  ///   - target: The result has the smallest of full, half, quarter and eighth size that is at
  ///     least this large.
  /// - Throws: `truncated`, `corrupt`, and `unsupportedFormat` for an image that is not luma and
  ///   chroma.
  func decodePlanes(
    _ image: RawSpan,
    _ header: TurboJPEG.Header,
    atLeast target: ImageSize
  ) throws(ImagingError) -> Planes {
    guard [TJCS_YCbCr, TJCS_GRAY].contains(header.colorSpace) else {
      throw ImagingError(.unsupportedFormat, "the JPEG is not in luma and chroma")
    }
    let size = TurboJPEG.size(of: header.size, atLeast: target)
    let planes = unsafe buffer.planes(size, header.subsampling)
    try unsafe codec.decompress(image, into: planes)
    return unsafe planes.readable
  }
}
