/// Encodes raw pictures as JPEG. It keeps its memory between pictures, so it allocates nothing once
/// it has seen their shapes. Use one per thread.
///
/// Chroma keeps the source's subsampling (4:2:2 or 4:2:0), turned with the picture. RGB becomes
/// 4:2:2, as in USB cameras' own JPEGs. Sources in limited range or BT.709 are converted to JFIF's
/// full range and BT.601. Bayer shows the sensor's own colours (`MosaicReader`), and distances are
/// shown in colours (`DepthColors`).
package final class JPEGEncoder {
  private let compressor: JPEGCompressor
  private let splitter: PlaneSplitter
  private let scaler = PlaneScaler()
  private let converter = PlaneConverter()
  private let turner = PlaneTurner()

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    compressor = try JPEGCompressor()
    splitter = try PlaneSplitter()
  }

  /// The most bytes that a JPEG of this size takes with any chroma subsampling, also before it is
  /// turned; 0 for an invalid size.
  package static func maximumByteCount(for size: ImageSize) -> Int {
    // 4:4:4 takes the most, except for tiny pictures, where the padding to whole blocks dominates.
    let sizes = [size, ImageSize(width: size.height, height: size.width)]
    let subsamplings: [ChromaSubsampling] = [.yuv444, .yuv422, .yuv440, .yuv420, .yuv411]
    return sizes.lazy.flatMap { size in
      subsamplings.lazy.map { TurboJPEG.maximumByteCount(size, $0) }
    }.max() ?? 0
  }

  /// Encodes one picture.
  /// - Parameters:
  ///   - image: At least `layout.byteCount` bytes.
  ///   - target: A smaller size to scale down to, before the picture is turned. A larger value
  ///     keeps the source's size.
  ///   - zoom: 1 or more: the middle of the picture that is kept is smaller by this.
  ///   - quality: 1...100.
  ///   - output: Room for `maximumByteCount(for:)` bytes of the resulting size.
  /// - Returns: The number of bytes written.
  /// - Throws: `shortInput`, `shortOutput`, `invalidSize`, `unsupportedFormat`, all before any
  ///   work.
  package func encode(
    _ image: RawSpan,
    layout: ImageLayout,
    scaledTo target: ImageSize? = nil,
    turned orientation: Orientation = .upright,
    zoom: Zoom = 1,
    quality: Int,
    into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    guard let subsampling = layout.pixelFormat.encodedSubsampling else {
      throw ImagingError(
        .unsupportedFormat,
        "no JPEG can be made of \(layout.pixelFormat) pictures; they must be converted first"
      )
    }
    try layout.check(image)
    let size = (target ?? layout.size).clamped(to: layout.size)
    try size.check()
    try TurboJPEG.checkRoom(output.byteCount, for: size, subsampling)
    let (range, matrix) = layout.planeCoding
    return try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
      guard let source = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
      // Scaling, turning and zooming need the whole picture. Otherwise each strip is split and
      // compressed at once.
      let whole =
        size == layout.size && orientation == .upright && zoom == 1
        ? nil
        : unsafe try scaled(source, layout, to: size, zoom: zoom)
      if orientation != .upright, let whole = unsafe whole {
        var standard = unsafe converter.convert(whole, range: range, matrix: matrix)
        unsafe standard.size = size
        return try unsafe compressor.compress(
          turner.turn(standard.rows(0..<size.height), orientation), quality: quality,
          into: &output)
      }
      return try unsafe compressor.compress(
        size, subsampling, quality: quality, into: &output
      ) { (rows) throws(ImagingError) in
        let planes =
          if let whole = unsafe whole {
            unsafe whole.rows(rows)
          } else {
            unsafe try strip(source, layout, rows)
          }
        return unsafe converter.convert(planes, range: range, matrix: matrix)
      }
    }
  }

  private func scaled(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, to size: ImageSize, zoom: Zoom
  ) throws(ImagingError) -> Planes {
    let (planes, isScaled) = unsafe try splitter.whole(source, layout, for: size, zoom: zoom)
    return isScaled ? unsafe planes : unsafe scaler.scale(planes, to: size, zoom: zoom)
  }

  private func strip(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, _ rows: Range<Int>
  ) throws(ImagingError) -> Planes {
    let planes = unsafe try splitter.planes(source, layout, rows: rows)
    // The next strip is fetched while this one is compressed.
    let next = rows.upperBound..<min(rows.upperBound + rows.count, layout.size.height)
    unsafe layout.prefetch(source, rows: next)
    return unsafe planes
  }
}
