/// Provides strips of sensors' pictures as planes in full range and BT.601, in its own memory. Use
/// one per thread.
final class SensorSplitter {
  private let codec: TurboJPEG
  private let buffer = PlaneBuffer()
  private let mosaicReader = MosaicReader<UInt8>()
  private let depthReader = DepthReader()
  /// Red, green and blue of a strip, before libturbojpeg makes planes of it.
  private var pixels: [UInt8] = []

  /// - Throws: `codecFailed`.
  init() throws(ImagingError) {
    codec = try TurboJPEG(.compressor)
  }

  /// - Parameters:
  ///   - source: At least `layout.byteCount` bytes.
  ///   - coding: The samples of the layout's format.
  ///   - rows: The wanted rows. The first one begins a whole chroma sample.
  /// - Returns: Planes of these rows, valid until the next call.
  func planes(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, _ coding: SensorSamples,
    rows: Range<Int>
  ) throws(ImagingError) -> Planes {
    let part = ImageSize(width: layout.size.width, height: rows.count)
    switch coding.meaning {
    case .colors:
      guard let mosaic = Mosaic(layout.pixelFormat) else { break }
      return unsafe try split(part, .yuv420) { pixels in
        unsafe mosaicReader.read(source, layout, mosaic, rows: rows, into: pixels)
      }
    case .distance:
      return unsafe try split(part, .yuv422) { pixels in
        unsafe depthReader.readColors(
          source, layout, scaledTo: layout.size, zoom: 1, rows: rows, into: pixels)
      }
    case .brightness: break
    }
    let planes = unsafe buffer.planes(part, .grey)
    for y in 0..<rows.count {
      let row = unsafe source + (rows.lowerBound + y) * layout.bytesPerLine
      unsafe UInt8.read(row, coding, into: planes.luma.row(y), count: part.width)
    }
    return unsafe planes.readable
  }

  /// A whole picture of Bayer, with one pixel for each square of four samples.
  func half(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, _ mosaic: Mosaic
  ) throws(ImagingError) -> Planes {
    try unsafe split(MosaicReader<UInt8>.halfSize(layout.size), .yuv420) { pixels in
      unsafe mosaicReader.readHalf(source, layout, mosaic, into: pixels)
    }
  }

  /// A whole picture of distances in colours, scaled.
  func colors(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, scaledTo size: ImageSize, zoom: Zoom
  ) throws(ImagingError) -> Planes {
    try unsafe split(size, .yuv422) { pixels in
      unsafe depthReader.readColors(
        source, layout, scaledTo: size, zoom: zoom, rows: 0..<size.height, into: pixels)
    }
  }

  /// A whole picture of distances as grey: the nearer, the brighter.
  func nearness(_ source: UnsafePointer<UInt8>, _ layout: ImageLayout) -> Planes {
    let planes = unsafe buffer.planes(layout.size, .grey)
    unsafe depthReader.readNearness(source, layout, into: planes.luma)
    return unsafe planes.readable
  }

  private func split(
    _ size: ImageSize, _ subsampling: ChromaSubsampling,
    _ read: (UnsafeMutablePointer<UInt8>) -> Void
  ) throws(ImagingError) -> Planes {
    let layout = try ImageLayout(size: size, pixelFormat: .rgb24)
    if pixels.count < layout.byteCount { pixels = Array(repeating: 0, count: layout.byteCount) }
    let planes = unsafe buffer.planes(size, subsampling)
    try unsafe pixels.withUnsafeMutableBufferPointer { (pixels) throws(ImagingError) in
      guard let start = pixels.baseAddress else { return }
      unsafe read(start)
      unsafe try codec.split(start, layout, into: planes)
    }
    return unsafe planes.readable
  }
}
