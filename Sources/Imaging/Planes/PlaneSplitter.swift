import CPixels

/// Provides strips of raw pictures as planes: in place if the source is planar, otherwise split
/// into its own memory.
final class PlaneSplitter {
  private let buffer = PlaneBuffer()
  /// A row of interleaved chroma between the two steps of splitting.
  private var interleaved: [UInt8] = []

  private let codec: TurboJPEG
  private let sensors: SensorSplitter

  /// - Throws: `codecFailed`.
  init() throws(ImagingError) {
    codec = try TurboJPEG(.compressor)
    sensors = try SensorSplitter()
  }

  /// - Parameters:
  ///   - source: At least `layout.byteCount` bytes.
  ///   - rows: The wanted rows. The first one begins a whole chroma sample.
  /// - Returns: Planes of these rows, valid until the next call and only while the source is.
  /// - Throws: `unsupportedFormat` unless the picture is 8-bit luma and chroma, RGB, or of a
  ///   sensor.
  func planes(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    rows: Range<Int>
  ) throws(ImagingError) -> Planes {
    switch layout.pixelFormat {
    case .yuyv, .yvyu, .uyvy, .vyuy: return unsafe packed(source, layout, rows)
    case .nv12, .nv21: return unsafe semiPlanar(source, layout, .yuv420, rows)
    case .nv16: return unsafe semiPlanar(source, layout, .yuv422, rows)
    case .rgb24, .bgr24: return unsafe try rgb(source, layout, rows)
    case .yu12, .yv12: return unsafe planar(source, layout, .yuv420).rows(rows)
    case .yuv422p: return unsafe planar(source, layout, .yuv422).rows(rows)
    case .grey:
      return unsafe Planes(size: layout.size, subsampling: .grey, luma: luma(source, layout))
        .rows(rows)
    default:
      guard let coding = layout.pixelFormat.sensorSamples else {
        throw ImagingError(
          .unsupportedFormat,
          "\(layout.pixelFormat) pictures cannot be split into luma and chroma"
        )
      }
      return unsafe try sensors.planes(source, layout, coding, rows: rows)
    }
  }

  /// A whole picture, which may be smaller than it was if that saves time.
  /// - Parameters:
  ///   - source: At least `layout.byteCount` bytes.
  ///   - target: The size to which the planes will be scaled.
  ///   - zoom: 1 or more: the middle of the picture that will be kept is smaller by this.
  /// - Returns: Planes of the picture, valid until the next call and only while the source is.
  ///   Distances are already scaled and zoomed, because the mean of two colours is another
  ///   distance.
  /// - Throws: `unsupportedFormat`.
  func whole(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, for target: ImageSize, zoom: Zoom
  ) throws(ImagingError) -> (planes: Planes, isScaled: Bool) {
    if layout.pixelFormat.isDepth {
      return unsafe (
        try sensors.colors(source, layout, scaledTo: target, zoom: zoom), isScaled: true
      )
    }
    if let mosaic = Mosaic(layout.pixelFormat) {
      let needed = target.enlarged(zoom, within: layout.size)
      let half = MosaicReader<UInt8>.halfSize(layout.size)
      if needed.width <= half.width, needed.height <= half.height {
        return unsafe (try sensors.half(source, layout, mosaic), isScaled: false)
      }
    }
    return unsafe (
      try planes(source, layout, rows: 0..<layout.size.height), isScaled: false
    )
  }

  /// A whole picture as it is compared with others: its luma, or how near each distance is.
  /// - Parameter target: The size to which the planes will be scaled.
  /// - Throws: `unsupportedFormat`.
  func brightness(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, for target: ImageSize
  ) throws(ImagingError) -> Planes {
    layout.pixelFormat.isDepth
      ? unsafe sensors.nearness(source, layout)
      : unsafe try whole(source, layout, for: target, zoom: 1).planes
  }

  private func packed(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    _ rows: Range<Int>
  ) -> Planes {
    let planes = unsafe buffer.planes(layout.size.rows(rows), .yuv422)
    guard let (blue, red) = unsafe planes.chroma else { return unsafe planes.readable }
    let isLumaFirst = [.yuyv, .yvyu].contains(layout.pixelFormat)
    let isBlueFirst = [.yuyv, .uyvy].contains(layout.pixelFormat)
    let chromaWidth = unsafe blue.size.width
    if interleaved.count < 2 * chromaWidth {
      interleaved = Array(repeating: 0, count: 2 * chromaWidth)
    }
    unsafe interleaved.withUnsafeMutableBufferPointer { interleaved in
      guard let chroma = interleaved.baseAddress else { return }
      for y in 0..<rows.count {
        let luma = unsafe planes.luma.row(y)
        unsafe CPixels_split(
          source + (rows.lowerBound + y) * layout.bytesPerLine,
          isLumaFirst ? luma : chroma,
          isLumaFirst ? chroma : luma,
          2 * chromaWidth
        )
        unsafe CPixels_split(
          chroma,
          (isBlueFirst ? blue : red).row(y),
          (isBlueFirst ? red : blue).row(y),
          chromaWidth
        )
      }
    }
    return unsafe planes.readable
  }

  private func semiPlanar(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    _ subsampling: ChromaSubsampling,
    _ rows: Range<Int>
  ) -> Planes {
    let planes = unsafe buffer.planes(layout.size.rows(rows), subsampling)
    let stride = PixelShape.semiPlanar(subsampling).chromaBytesPerLine(layout.bytesPerLine)
    let chroma =
      unsafe source + layout.bytesPerLine * layout.size.height
      + rows.lowerBound / subsampling.vertical * stride
    let isBlueFirst = layout.pixelFormat != .nv21
    if let (blue, red) = unsafe planes.chroma {
      for y in unsafe 0..<blue.size.height {
        unsafe CPixels_split(
          chroma + y * stride,
          (isBlueFirst ? blue : red).row(y),
          (isBlueFirst ? red : blue).row(y),
          blue.size.width
        )
      }
    }
    var result = unsafe planes.readable
    unsafe result.luma.start = source + rows.lowerBound * layout.bytesPerLine
    unsafe result.luma.stride = layout.bytesPerLine
    return unsafe result
  }

  private func rgb(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    _ rows: Range<Int>
  ) throws(ImagingError) -> Planes {
    let planes = unsafe buffer.planes(layout.size.rows(rows), .yuv422)
    unsafe try codec.split(
      source + rows.lowerBound * layout.bytesPerLine, layout, into: planes)
    return unsafe planes.readable
  }

  private func planar(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    _ subsampling: ChromaSubsampling
  ) -> Planes {
    let size = subsampling.chromaSize(layout.size)
    let stride = PixelShape.planar(subsampling).chromaBytesPerLine(layout.bytesPerLine)
    let start = unsafe source + layout.bytesPerLine * layout.size.height
    let first = unsafe Plane(size: size, start: start, stride: stride)
    let second = unsafe Plane(size: size, start: start + stride * size.height, stride: stride)
    return unsafe Planes(
      size: layout.size,
      subsampling: subsampling,
      luma: luma(source, layout),
      chroma: layout.pixelFormat == .yv12 ? (second, first) : (first, second)
    )
  }

  private func luma(_ source: UnsafePointer<UInt8>, _ layout: ImageLayout) -> Plane {
    unsafe Plane(size: layout.size, start: source, stride: layout.bytesPerLine)
  }
}

extension ImageSize {
  fileprivate func rows(_ rows: Range<Int>) -> ImageSize {
    ImageSize(width: width, height: rows.count)
  }
}
