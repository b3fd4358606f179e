/// Makes JPEGs of raw pictures. One belongs to one thread; it keeps its memory between pictures, so that none is
/// allocated for them once their shapes are known.
///
/// Chroma stays as the source has it (4:2:2 or 4:2:0); RGB becomes 4:2:2, as USB cameras' own JPEGs have it. Sources in
/// limited range or with the matrix of BT.709 are converted to what JFIF has: full range and BT.601.
package final class JPEGEncoder {
  private let codec: TurboJPEG
  private let splitter = PlaneSplitter()
  private let converter = PlaneConverter()
  private let split = PlaneBuffer()

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    codec = try TurboJPEG(.compressor)
  }

  /// The most bytes that a JPEG of this size takes, whatever its chroma; 0 for a size that no picture has.
  package static func maximumByteCount(for size: ImageSize) -> Int {
    // 4:4:4 takes the most, but of tiny pictures the padding to whole blocks does.
    max(
      TurboJPEG.maximumByteCount(size, .yuv444),
      TurboJPEG.maximumByteCount(size, .yuv420),
      TurboJPEG.maximumByteCount(size, .yuv411)
    )
  }

  /// Encodes one picture.
  /// - Parameters:
  ///   - image: At least `layout.byteCount` bytes.
  ///   - target: A smaller size to scale down to; where it is larger, the source's own is kept.
  ///   - quality: 1...100.
  ///   - output: Room for `maximumByteCount(for:)` bytes of the resulting size.
  /// - Returns: The bytes written.
  /// - Throws: `shortInput`, `shortOutput`, `invalidSize`, `unsupportedFormat`, all before any work.
  package func encode(
    _ image: RawSpan,
    layout: ImageLayout,
    scaledTo target: ImageSize? = nil,
    quality: Int,
    into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    guard let subsampling = layout.pixelFormat.encodedSubsampling else {
      throw ImagingError(
        .unsupportedFormat,
        "no JPEG can be made of \(layout.pixelFormat) pictures; they must be converted first"
      )
    }
    guard image.byteCount >= layout.byteCount else {
      throw ImagingError(
        .shortInput,
        """
        a picture of \(layout.size) in \(layout.pixelFormat) has \(layout.byteCount) bytes, and there are \
        \(image.byteCount)
        """
      )
    }
    let size = (target ?? layout.size).clamped(to: layout.size)
    try size.check()
    try TurboJPEG.checkRoom(output.byteCount, for: size, subsampling)
    return try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
      guard let source = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
      let planes = unsafe try planes(source, layout, subsampling, scaledTo: size)
      return unsafe try codec.compress(planes, quality: quality, into: &output)
    }
  }

  private func planes(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    _ subsampling: ChromaSubsampling,
    scaledTo size: ImageSize
  ) throws(ImagingError) -> Planes {
    guard [.rgb24, .bgr24].contains(layout.pixelFormat) else {
      let planes = unsafe try splitter.planes(source, layout)
      return unsafe converter.convert(
        planes,
        to: size,
        range: layout.range,
        matrix: layout.matrix
      )
    }
    let planes = unsafe split.planes(layout.size, subsampling)
    unsafe try codec.split(source, layout, into: planes)
    return unsafe converter.convert(planes.readable, to: size, range: .full, matrix: .bt601)
  }
}
