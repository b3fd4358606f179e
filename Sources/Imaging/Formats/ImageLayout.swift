/// How a picture lies in memory.
///
/// Planar formats follow V4L2's contiguous convention: the planes follow each other; the chroma rows of 4:2:0 and
/// 4:2:2 planar formats are half as long as those of luma, interleaved chroma rows are as long.
package struct ImageLayout: Hashable, Sendable {
  /// The span of the luma and chroma codes.
  package enum Range: Hashable, Sendable {
    /// 0...255, as JPEG has it.
    case full
    /// Luma 16...235, chroma 16...240, as most raw video has it.
    case limited
  }

  package let size: ImageSize
  package let pixelFormat: PixelFormat
  /// Bytes from one row of the first plane to the next; 0 for compressed pictures.
  package let bytesPerLine: Int
  package let range: Range

  /// - Parameter bytesPerLine: nil = rows without padding.
  /// - Throws: `invalidSize`, `invalidStride`, or `unsupportedFormat` for a format whose shape is unknown.
  package init(
    size: ImageSize,
    pixelFormat: PixelFormat,
    bytesPerLine: Int? = nil,
    range: Range = .limited
  ) throws(ImagingError) {
    guard size.isValid else {
      throw ImagingError(.invalidSize, "\(size) is no size of a picture")
    }
    guard let shape = pixelFormat.shape else {
      throw ImagingError(.unsupportedFormat, "the shape of \(pixelFormat) pictures is not known")
    }
    let shortest = shape.shortestRow(size.width)
    let stride = bytesPerLine ?? shortest
    guard stride >= shortest, stride <= 16 * ImageSize.maximum else {
      throw ImagingError(
        .invalidStride,
        "rows of \(stride) bytes do not hold \(size.width) pixels of \(pixelFormat)"
      )
    }
    self.size = size
    self.pixelFormat = pixelFormat
    self.bytesPerLine = stride
    self.range = range
  }

  private init(compressed pixelFormat: PixelFormat, checked size: ImageSize) {
    self.size = size
    self.pixelFormat = pixelFormat
    bytesPerLine = 0
    range = .full
  }

  /// A compressed picture: a size and no rows.
  package static func compressed(_ pixelFormat: PixelFormat, size: ImageSize) -> ImageLayout {
    ImageLayout(compressed: pixelFormat, checked: size)
  }

  /// The bytes of a raw picture with all its planes; 0 for compressed ones.
  package var byteCount: Int {
    pixelFormat.shape.map { $0.byteCount(bytesPerLine: bytesPerLine, height: size.height) } ?? 0
  }
}

/// The planes of a raw pixel format.
enum PixelShape {
  /// Pixels one after another, of so many bytes.
  case packed(bytesPerPixel: Int)
  /// 4:2:2 in one plane: two pixels in four bytes.
  case packed422
  /// Luma, then two planes of chroma; `rows` is how many luma rows share a chroma row.
  case planar(rows: Int)
  /// Luma, then one plane of interleaved chroma.
  case semiPlanar(rows: Int)

  func shortestRow(_ width: Int) -> Int {
    switch self {
    case .packed(let bytesPerPixel): width * bytesPerPixel
    case .packed422: (width + 1) / 2 * 4
    case .planar, .semiPlanar: (width + 1) & ~1
    }
  }

  func byteCount(bytesPerLine: Int, height: Int) -> Int {
    switch self {
    case .packed, .packed422: bytesPerLine * height
    case .planar(let rows):
      bytesPerLine * height + 2 * (bytesPerLine / 2) * ((height + rows - 1) / rows)
    case .semiPlanar(let rows):
      bytesPerLine * height + bytesPerLine * ((height + rows - 1) / rows)
    }
  }
}

extension PixelFormat {
  var shape: PixelShape? {
    switch self {
    case .yuyv, .uyvy, .yvyu, .vyuy: .packed422
    case .nv12, .nv21: .semiPlanar(rows: 2)
    case .nv16: .semiPlanar(rows: 1)
    case .yu12, .yv12: .planar(rows: 2)
    case .yuv422p: .planar(rows: 1)
    case .grey, .bayerBGGR8, .bayerGBRG8, .bayerGRBG8, .bayerRGGB8: .packed(bytesPerPixel: 1)
    case .y10, .y12, .y16, .z16, .rgb565, .bayerBGGR10, .bayerGBRG10, .bayerGRBG10, .bayerRGGB10:
      .packed(bytesPerPixel: 2)
    case .rgb24, .bgr24: .packed(bytesPerPixel: 3)
    case .bgr32, .rgb32, .xbgr32, .xrgb32: .packed(bytesPerPixel: 4)
    default: nil
    }
  }

  /// Whether a picture of this format can be made a JPEG as it is.
  package var isEncodable: Bool {
    switch self {
    case .yuyv, .uyvy, .yvyu, .vyuy, .nv12, .nv21, .nv16, .yu12, .yv12, .yuv422p, .grey, .rgb24,
      .bgr24:
      true
    default: false
    }
  }
}
