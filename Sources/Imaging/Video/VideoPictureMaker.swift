import CPixels

/// Makes the pictures that a video encoder takes, in 4:2:0, of pictures in any format. It keeps its
/// memory between pictures. Use one per thread.
///
/// Codes stay as they are (``VideoCoding``), so that nothing is lost by converting them.
package final class VideoPictureMaker {
  /// Rows that are split and written before the next ones, so that they stay in the caches.
  private static let stripHeight = 32

  private let splitter: PlaneSplitter
  private let decoder: JPEGDecoder
  private let scaler = PlaneScaler()
  private let chromaScaler = PlaneScaler()
  private let turner = PlaneTurner()

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    splitter = try PlaneSplitter()
    decoder = try JPEGDecoder()
  }

  /// Makes one picture.
  /// - Parameters:
  ///   - image: A JPEG, or at least `layout.byteCount` bytes.
  ///   - orientation: How the picture is turned.
  ///   - zoom: 1 or more: the middle of the picture that is kept is smaller by this.
  ///   - target: Memory for the picture. Its size is that of the turned picture
  ///     (``ImageSize/ofVideo``), or smaller: then the picture is scaled down.
  /// - Throws: `shortInput`, `invalidSize`, `unsupportedFormat` before any work; `notJPEG`,
  ///   `truncated`, `corrupt`.
  package func make(
    _ image: RawSpan, layout: ImageLayout, turned orientation: Orientation = .upright,
    zoom: Zoom = 1, into target: VideoPlanes
  ) throws(ImagingError) {
    let upright = orientation.turned(layout.size)
    guard unsafe target.size.width <= max(2, upright.width),
      unsafe target.size.height <= max(2, upright.height)
    else {
      throw unsafe ImagingError(
        .invalidSize, "a picture of \(upright) is never enlarged to \(target.size)")
    }
    // A picture of an odd size loses a column or a row, and is not scaled for that.
    let size = unsafe upright.ofVideo == target.size ? layout.size : orientation.turned(target.size)
    if layout.pixelFormat.isCompressed {
      let header = try decoder.header(image)
      guard header.size == layout.size else {
        throw ImagingError(
          .invalidSize, "a JPEG of \(header.size) came among those of \(layout.size)")
      }
      let decoded = unsafe try decoder.decodePlanes(
        image, header, atLeast: size.enlarged(zoom, within: header.size))
      return unsafe write(
        turn(scaler.scale(decoded, to: size, zoom: zoom), orientation), into: target.planes)
    }
    guard layout.pixelFormat.isEncodable else {
      throw ImagingError(
        .unsupportedFormat, "no video can be made of \(layout.pixelFormat) pictures")
    }
    try layout.check(image)
    try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
      guard let source = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return }
      if size == layout.size, orientation == .upright, zoom == 1, !layout.pixelFormat.isDepth {
        return try unsafe writeStrips(source, layout, into: target.planes)
      }
      let (whole, isScaled) = unsafe try splitter.whole(source, layout, for: size, zoom: zoom)
      let planes = isScaled ? unsafe whole : unsafe scaler.scale(whole, to: size, zoom: zoom)
      unsafe write(turn(planes, orientation), into: target.planes)
    }
  }

  private func turn(_ planes: Planes, _ orientation: Orientation) -> Planes {
    orientation == .upright ? unsafe planes : unsafe turner.turn(planes, orientation)
  }

  private func writeStrips(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, into target: MutablePlanes
  ) throws(ImagingError) {
    let height = unsafe target.size.height
    for top in stride(from: 0, to: height, by: Self.stripHeight) {
      let rows = top..<min(top + Self.stripHeight, height)
      let planes = unsafe try splitter.planes(source, layout, rows: rows)
      let next = rows.upperBound..<min(rows.upperBound + rows.count, layout.size.height)
      unsafe layout.prefetch(source, rows: next)
      unsafe write(planes, into: target.rows(rows))
    }
  }

  /// Writes the rows and columns that the target has.
  private func write(_ source: Planes, into target: MutablePlanes) {
    for y in unsafe 0..<target.size.height {
      unsafe target.luma.row(y).update(from: source.luma.row(y), count: target.size.width)
    }
    guard let into = unsafe target.chroma else { return }
    guard let from = unsafe source.chroma else {
      unsafe into.blue.fill(128)
      unsafe into.red.fill(128)
      return
    }
    unsafe write(from.blue, source.subsampling, into: into.blue)
    unsafe write(from.red, source.subsampling, into: into.red)
  }

  private func write(
    _ source: Plane, _ subsampling: ChromaSubsampling, into target: MutablePlane
  ) {
    let size = unsafe target.size
    switch subsampling {
    case .yuv420:
      for y in 0..<size.height {
        unsafe target.row(y).update(from: source.row(y), count: size.width)
      }
    case .yuv422:
      for y in 0..<size.height {
        unsafe CPixels_averageRows(
          source.row(2 * y), source.row(2 * y + 1), target.row(y), size.width)
      }
    default:
      unsafe chromaScaler.scale(source, into: target)
    }
  }
}

extension MutablePlane {
  fileprivate func fill(_ code: UInt8) {
    for y in unsafe 0..<size.height { unsafe row(y).update(repeating: code, count: size.width) }
  }
}

extension MutablePlanes {
  /// A strip of the picture, as ``Planes/rows(_:)``.
  fileprivate func rows(_ rows: Range<Int>) -> MutablePlanes {
    let part = unsafe ImageSize(width: size.width, height: rows.count)
    func cut(_ plane: MutablePlane, _ size: ImageSize, from y: Int) -> MutablePlane {
      unsafe MutablePlane(size: size, start: plane.row(y), stride: plane.stride)
    }
    let (chromaSize, down) = unsafe (subsampling.chromaSize(part), subsampling.vertical)
    return unsafe MutablePlanes(
      size: part, subsampling: subsampling, luma: cut(luma, part, from: rows.lowerBound),
      chroma: chroma.map {
        unsafe (
          blue: cut($0.blue, chromaSize, from: rows.lowerBound / down),
          red: cut($0.red, chromaSize, from: rows.lowerBound / down)
        )
      })
  }
}
