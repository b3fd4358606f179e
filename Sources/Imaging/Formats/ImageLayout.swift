/// The layout of a picture in memory and the meaning of its codes.
///
/// Planar formats follow V4L2's contiguous convention: the planes follow each other. Chroma rows of
/// YU12, YV12 and 422P are half as long as luma rows; those of NV12, NV21 and NV16 are as long.
/// Halves are rounded up.
package struct ImageLayout: Codable, Hashable, Sendable {
  /// The range of luma and chroma codes. It has no meaning for RGB.
  package enum Range: Codable, Hashable, Sendable {
    /// 0...255, as in JPEG.
    case full
    /// Luma 16...235 and chroma 16...240, as in most raw video.
    case limited
  }

  /// The weights of red, green and blue in luma and chroma. They have no meaning for RGB and grey.
  package enum Matrix: Codable, Hashable, Sendable {
    /// ITU-R BT.601, as in JPEG.
    case bt601
    /// ITU-R BT.709, as in high-definition video.
    case bt709
  }

  package let size: ImageSize
  package let pixelFormat: PixelFormat
  /// Bytes from one row of the first plane to the next; 0 for compressed pictures.
  package let bytesPerLine: Int
  package let range: Range
  package let matrix: Matrix
  /// The black of a Bayer sensor, if it is known. It has no meaning for other formats.
  package var black: BlackLevel?
  /// Nil for a picture that is upright, and in what an earlier version wrote down.
  private var turn: Orientation?

  /// How the picture is to be turned so that it is upright: what a JPEG says of itself.
  package var orientation: Orientation {
    get { turn ?? .upright }
    set { turn = newValue == .upright ? nil : newValue }
  }

  /// - Parameter bytesPerLine: The row length of the first plane; nil means rows without padding.
  /// - Throws: `invalidSize`, `invalidStride`, or `unsupportedFormat` for a format with an unknown
  ///   shape.
  package init(
    size: ImageSize,
    pixelFormat: PixelFormat,
    bytesPerLine: Int? = nil,
    range: Range = .limited,
    matrix: Matrix = .bt601
  ) throws(ImagingError) {
    try size.check()
    guard let shape = pixelFormat.shape else {
      throw ImagingError(.unsupportedFormat, "the shape of \(pixelFormat) pictures is not known")
    }
    let shortest = shape.shortestRow(size.width)
    let stride = bytesPerLine ?? shortest
    guard (shortest...(16 * ImageSize.maximum)).contains(stride) else {
      throw ImagingError(
        .invalidStride,
        """
        rows of \(stride) bytes do not suit \(size.width) pixels of \(pixelFormat), which take \(shortest)
        """
      )
    }
    self.size = size
    self.pixelFormat = pixelFormat
    self.bytesPerLine = stride
    self.range = range
    self.matrix = matrix
  }

  private init(compressed pixelFormat: PixelFormat, size: ImageSize) {
    self.size = size
    self.pixelFormat = pixelFormat
    bytesPerLine = 0
    range = .full
    matrix = .bt601
  }

  /// The layout of a compressed picture, which has a size and no rows.
  package static func compressed(_ pixelFormat: PixelFormat, size: ImageSize) -> ImageLayout {
    ImageLayout(compressed: pixelFormat, size: size)
  }

  /// Where a plane is in the picture.
  package struct PlanePlace: Hashable, Sendable {
    package var offset: Int
    package var rowCount: Int
    /// The bytes of a row without padding.
    package var rowLength: Int
    package var stride: Int
  }

  /// The planes of a raw picture, in their order; none of a compressed one.
  package var planes: [PlanePlace] {
    guard let shape = pixelFormat.shape else { return [] }
    let row = shape.shortestRow(size.width)
    let first = PlanePlace(
      offset: 0, rowCount: size.height, rowLength: row, stride: bytesPerLine)
    let end = bytesPerLine * size.height
    let stride = shape.chromaBytesPerLine(bytesPerLine)
    func chroma(_ subsampling: ChromaSubsampling, _ index: Int) -> PlanePlace {
      let rowCount = subsampling.chromaSize(size).height
      return PlanePlace(
        offset: end + index * rowCount * stride, rowCount: rowCount,
        rowLength: shape.chromaBytesPerLine(row), stride: stride)
    }
    return switch shape {
    case .packed, .packed422, .grouped: [first]
    case .semiPlanar(let subsampling): [first, chroma(subsampling, 0)]
    case .planar(let subsampling): [first, chroma(subsampling, 0), chroma(subsampling, 1)]
    }
  }

  /// The bytes of a raw picture with all its planes; 0 for compressed formats.
  package var byteCount: Int {
    pixelFormat.shape.map { $0.byteCount(bytesPerLine: bytesPerLine, size: size) } ?? 0
  }
}

extension ImageLayout {
  /// - Throws: `shortInput` if a picture has too few bytes for this layout.
  func check(_ image: RawSpan) throws(ImagingError) {
    guard image.byteCount < byteCount else { return }
    throw ImagingError(
      .shortInput,
      """
      a picture of \(size) in \(pixelFormat) has \(byteCount) bytes, and there are \
      \(image.byteCount)
      """
    )
  }

  /// The range and matrix of the planes that are made of such pictures. libturbojpeg converts RGB
  /// to full range and BT.601, and sensors fill the range of their samples.
  var planeCoding: (range: Range, matrix: Matrix) {
    pixelFormat.hasColorCodes || pixelFormat == .grey ? (range, matrix) : (.full, .bt601)
  }
}
