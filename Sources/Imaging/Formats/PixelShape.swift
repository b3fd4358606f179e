/// The arrangement of a raw pixel format's planes.
enum PixelShape {
  /// One plane of pixels of equal size.
  case packed(bytesPerPixel: Int)
  /// 4:2:2 in one plane, with two pixels in four bytes.
  case packed422
  /// One plane of groups of pixels. A row has whole groups, so its last one may be partly used.
  case grouped(pixels: Int, bytes: Int)
  /// Luma, then two planes of chroma.
  case planar(ChromaSubsampling)
  /// Luma, then one plane of interleaved chroma.
  case semiPlanar(ChromaSubsampling)

  /// The length of the first plane's rows without padding, in bytes.
  func shortestRow(_ width: Int) -> Int {
    switch self {
    case .packed(let bytesPerPixel): width * bytesPerPixel
    case .packed422: (width + 1) / 2 * 4
    case .grouped(let pixels, let bytes): (width + pixels - 1) / pixels * bytes
    case .planar, .semiPlanar: width
    }
  }

  /// The length of a chroma row in bytes; 0 without chroma planes. An odd luma row counts as one
  /// byte longer.
  func chromaBytesPerLine(_ bytesPerLine: Int) -> Int {
    switch self {
    case .packed, .packed422, .grouped: 0
    case .planar: (bytesPerLine + 1) / 2
    case .semiPlanar: (bytesPerLine + 1) / 2 * 2
    }
  }

  func byteCount(bytesPerLine: Int, size: ImageSize) -> Int {
    let chromaBytesPerLine = chromaBytesPerLine(bytesPerLine)
    return switch self {
    case .packed, .packed422, .grouped: bytesPerLine * size.height
    case .planar(let chroma):
      bytesPerLine * size.height + 2 * chromaBytesPerLine * chroma.chromaSize(size).height
    case .semiPlanar(let chroma):
      bytesPerLine * size.height + chromaBytesPerLine * chroma.chromaSize(size).height
    }
  }
}

extension PixelFormat {
  /// Nil for compressed formats and for formats with an unknown shape.
  var shape: PixelShape? {
    switch self {
    case .yuyv, .uyvy, .yvyu, .vyuy: .packed422
    case .nv12, .nv21: .semiPlanar(.yuv420)
    case .nv16: .semiPlanar(.yuv422)
    case .yu12, .yv12: .planar(.yuv420)
    case .yuv422p: .planar(.yuv422)
    case .grey: .packed(bytesPerPixel: 1)
    case .rgb565: .packed(bytesPerPixel: 2)
    case .rgb24, .bgr24: .packed(bytesPerPixel: 3)
    case .bgr32, .rgb32, .xbgr32, .xrgb32: .packed(bytesPerPixel: 4)
    default: sensorSamples?.packing.shape
    }
  }

  /// The chroma subsampling of a JPEG made from this format: the source's own, 4:2:2 for RGB and
  /// for the colours of distances, or 4:2:0 for Bayer, which has one red and one blue sample in
  /// four. Nil if the encoder cannot read the format.
  var encodedSubsampling: ChromaSubsampling? {
    switch self {
    case .yuyv, .uyvy, .yvyu, .vyuy, .nv16, .yuv422p, .rgb24, .bgr24: return .yuv422
    case .nv12, .nv21, .yu12, .yv12: return .yuv420
    case .grey: return .grey
    default:
      return switch sensorSamples?.meaning {
      case .colors: .yuv420
      case .brightness: .grey
      case .distance: .yuv422
      case nil: nil
      }
    }
  }

  /// Whether the pixels are luma and chroma, in codes of some range and matrix.
  package var hasColorCodes: Bool {
    switch shape {
    case .packed422, .planar, .semiPlanar: true
    case .packed, .grouped, nil: false
    }
  }

  /// Whether the encoder can read this format.
  package var isEncodable: Bool { encodedSubsampling != nil }
}
