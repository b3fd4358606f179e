import CTurboJPEG

/// Decodes JPEGs and keeps its memory between pictures. Use one per thread.
///
/// A damaged picture is an error, even if a part of it could be shown. Breaches of the rules that
/// change nothing of the picture are accepted, such as a stray byte before a marker, which many USB
/// cameras produce. Streams without Huffman tables, such as AVI's motion JPEG, are decoded with the
/// standard tables. RGB, print colours and rare subsamplings are decoded by libjpeg, which takes
/// longer.
package final class JPEGDecoder {
  private let codec: TurboJPEG
  private let buffer = PlaneBuffer()
  /// Makes planes of the pictures that libturbojpeg makes none of.
  private lazy var splitter = Result { () throws(ImagingError) in try TurboJPEG(.compressor) }

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
    let header = try codec.header(image)
    let full = header.size
    let size = target.map { TurboJPEG.size(of: full, atLeast: $0) } ?? full
    guard header.isUsual else { return (size, try JPEGReader.rgb(image, size, of: full)) }
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
  /// - Throws: `truncated`, `corrupt`.
  func decodePlanes(
    _ image: RawSpan,
    _ header: TurboJPEG.Header,
    atLeast target: ImageSize
  ) throws(ImagingError) -> Planes {
    let size = TurboJPEG.size(of: header.size, atLeast: target)
    let planes = unsafe buffer.planes(size, header.subsampling)
    guard header.isUsual else {
      let pixels = try JPEGReader.rgb(image, size, of: header.size)
      let layout = try ImageLayout(size: size, pixelFormat: .rgb24)
      let splitter = try splitter.get()
      try unsafe pixels.withUnsafeBufferPointer { (pixels) throws(ImagingError) in
        guard let source = pixels.baseAddress else { return }
        try unsafe splitter.split(source, layout, into: planes)
      }
      return unsafe planes.readable
    }
    try unsafe codec.decompress(image, into: planes)
    return unsafe planes.readable
  }
}
