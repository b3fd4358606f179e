import Imaging

/// The encoding of a block of 2×2 pixels of one colour in a pixel format.
///
/// Pictures are painted in such blocks because every format represents them exactly: they are the
/// grain of 4:2:0 chroma and of a Bayer mosaic.
enum BlockFormat: Sendable {
  case yuyv, uyvy, nv12, yu12, grey, rgb24, bgr24, bayerRGGB8, bayerRGGB10, depth16

  /// The part of a plane that belongs to one row of blocks.
  struct Plane: Sendable {
    var bytesPerLine: Int
    /// The bytes of a block on one line.
    var bytesPerBlock: Int
    /// 2, or 1 if the plane has half the lines.
    var linesPerBlock: Int
  }

  /// A block's bytes, plane by plane and line by line. Unused bytes are zero.
  typealias Code = InlineArray<12, UInt8>

  /// Returns nil for a format that is not painted directly.
  init?(_ format: PixelFormat) {
    switch format {
    case .yuyv: self = .yuyv
    case .uyvy: self = .uyvy
    case .nv12: self = .nv12
    case .yu12: self = .yu12
    case .grey: self = .grey
    case .rgb24: self = .rgb24
    case .bgr24: self = .bgr24
    case .bayerRGGB8: self = .bayerRGGB8
    case .bayerRGGB10: self = .bayerRGGB10
    case .z16: self = .depth16
    default: return nil
    }
  }

  func planes(width: Int) -> [Plane] {
    let luma = Plane(bytesPerLine: width, bytesPerBlock: 2, linesPerBlock: 2)
    let chroma = Plane(bytesPerLine: width / 2, bytesPerBlock: 1, linesPerBlock: 1)
    switch self {
    case .grey, .bayerRGGB8: return [luma]
    case .yuyv, .uyvy, .bayerRGGB10, .depth16:
      return [Plane(bytesPerLine: width * 2, bytesPerBlock: 4, linesPerBlock: 2)]
    case .rgb24, .bgr24: return [Plane(bytesPerLine: width * 3, bytesPerBlock: 6, linesPerBlock: 2)]
    case .nv12: return [luma, Plane(bytesPerLine: width, bytesPerBlock: 2, linesPerBlock: 1)]
    case .yu12: return [luma, chroma, chroma]
    }
  }

  /// - Parameter range: The range of luma and chroma, for the formats that have them.
  func code(of color: RGB, range: ImageLayout.Range) -> Code {
    let (r, g, b) = (color.red, color.green, color.blue)
    let (y, u, v) = color.yCbCr(range)
    switch self {
    case .yuyv: return [y, u, y, v, y, u, y, v, 0, 0, 0, 0]
    case .uyvy: return [u, y, v, y, u, y, v, y, 0, 0, 0, 0]
    case .nv12, .yu12: return [y, y, y, y, u, v, 0, 0, 0, 0, 0, 0]
    case .grey: return [y, y, y, y, 0, 0, 0, 0, 0, 0, 0, 0]
    case .rgb24: return [r, g, b, r, g, b, r, g, b, r, g, b]
    case .bgr24: return [b, g, r, b, g, r, b, g, r, b, g, r]
    case .bayerRGGB8: return [r, g, g, b, 0, 0, 0, 0, 0, 0, 0, 0]
    case .bayerRGGB10:
      // Ten bits in two bytes, the low one first. The two lowest bits repeat the highest, so that
      // white is 1023.
      func low(_ value: UInt8) -> UInt8 { value << 2 | value >> 6 }
      func high(_ value: UInt8) -> UInt8 { value >> 6 }
      return [low(r), high(r), low(g), high(g), low(g), high(g), low(b), high(b), 0, 0, 0, 0]
    case .depth16:
      // Luma becomes a distance of 0 to 4095 mm.
      let (low, high) = (y << 4 | y >> 4, y >> 4)
      return [low, high, low, high, low, high, low, high, 0, 0, 0, 0]
    }
  }
}
