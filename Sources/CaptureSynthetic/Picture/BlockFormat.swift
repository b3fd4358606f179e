import Imaging

/// The encoding of a block of 2×2 pixels of one colour in a pixel format.
///
/// Pictures are painted in such blocks because every format represents them exactly: they are the
/// grain of 4:2:0 chroma and of a Bayer mosaic.
enum BlockFormat: Sendable {
  case yuyv, uyvy, nv12, yu12, grey, rgb24, bgr24, rgb565, bayer8, packedBayer12
  /// In two bytes.
  case bayer(bits: UInt16)
  case grey16(bits: UInt16)
  case depth

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
    case .rgb565: self = .rgb565
    case .bayerRGGB8: self = .bayer8
    case .bayerRGGB10: self = .bayer(bits: 10)
    case .bayerRGGB12: self = .bayer(bits: 12)
    case .bayerRGGB12P: self = .packedBayer12
    case .bayerRGGB16: self = .bayer(bits: 16)
    case .y10: self = .grey16(bits: 10)
    case .y12: self = .grey16(bits: 12)
    case .y16: self = .grey16(bits: 16)
    case .z16: self = .depth
    default: return nil
    }
  }

  func planes(width: Int) -> [Plane] {
    let luma = Plane(bytesPerLine: width, bytesPerBlock: 2, linesPerBlock: 2)
    let chroma = Plane(bytesPerLine: width / 2, bytesPerBlock: 1, linesPerBlock: 1)
    switch self {
    case .grey, .bayer8: return [luma]
    case .packedBayer12:
      return [Plane(bytesPerLine: width / 2 * 3, bytesPerBlock: 3, linesPerBlock: 2)]
    case .yuyv, .uyvy, .rgb565, .bayer, .grey16, .depth:
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
    case .rgb565:
      let word = (UInt16(r) >> 3) << 11 | (UInt16(g) >> 2) << 5 | UInt16(b) >> 3
      return Self.words(word, word, word, word)
    case .bayer8:
      let (r, g, b) = color.light(bits: 8)
      return [UInt8(r), UInt8(g), UInt8(g), UInt8(b), 0, 0, 0, 0, 0, 0, 0, 0]
    case .packedBayer12:
      // The high bytes of two samples, then their low bits.
      let (r, g, b) = color.light(bits: 12)
      let (rg, gb) = (UInt8(g & 15) << 4 | UInt8(r & 15), UInt8(b & 15) << 4 | UInt8(g & 15))
      return [UInt8(r >> 4), UInt8(g >> 4), rg, UInt8(g >> 4), UInt8(b >> 4), gb, 0, 0, 0, 0, 0, 0]
    case .bayer(let bits):
      let (red, green, blue) = color.light(bits: bits)
      return Self.words(red, green, green, blue)
    case .grey16(let bits):
      let sample = Self.sample(y, bits: bits)
      return Self.words(sample, sample, sample, sample)
    case .depth:
      // Luma becomes a distance of 0 to 4095 mm.
      let distance = Self.sample(y, bits: 12)
      return Self.words(distance, distance, distance, distance)
    }
  }

  /// A sample of 10 to 16 bits. The lowest bits repeat the highest, so that white is all ones.
  private static func sample(_ value: UInt8, bits: UInt16) -> UInt16 {
    (UInt16(value) * 0x101) >> (16 - bits)
  }

  /// A block of four samples in two bytes each, the low one first.
  private static func words(_ a: UInt16, _ b: UInt16, _ c: UInt16, _ d: UInt16) -> Code {
    func low(_ word: UInt16) -> UInt8 { UInt8(truncatingIfNeeded: word) }
    func high(_ word: UInt16) -> UInt8 { UInt8(word >> 8) }
    return [low(a), high(a), low(b), high(b), low(c), high(c), low(d), high(d), 0, 0, 0, 0]
  }
}
