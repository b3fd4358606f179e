import CTurboJPEG

/// Reads JPEGs. One belongs to one thread; it keeps its memory between pictures.
///
/// A damaged picture is an error, though part of it could be shown; but a stray byte before a marker, as many USB
/// cameras have it, is no damage. Code streams without Huffman tables, as AVI's motion JPEG has them, are read with the
/// standard ones.
package final class JPEGDecoder {
  private let codec: TurboJPEG
  private let buffer = PlaneBuffer()

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    codec = try TurboJPEG(.decompressor)
  }

  /// Decodes to red, green and blue, three bytes a pixel, rows without padding.
  /// - Parameter target: Where given, the result is the smallest of the picture's size, half, quarter and eighth that
  ///   is not below it.
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

  /// - Throws: `notJPEG`, `truncated`, `corrupt`, `invalidSize`, `unsupportedFormat`.
  func header(_ image: RawSpan) throws(ImagingError) -> TurboJPEG.Header {
    try codec.header(image)
  }

  /// Decodes to planes in full range and BT.601 in this object's own memory, valid until the next call.
  /// - Parameters:
  ///   - header: This image's own.
  ///   - target: The result is the smallest of the picture's size, half, quarter and eighth that is not below it.
  /// - Throws: `truncated`, `corrupt`, and `unsupportedFormat` where the image is not luma and chroma.
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
