import Imaging

/// Reads the brightness of single pixels from a raw picture. Black and white are exact.
struct LumaSampler {
  let size: ImageSize
  private let bytesPerLine: Int
  private let bytesPerPixel: Int
  /// The offset of luma in a pixel's bytes.
  private let offset: Int
  /// The number of bits of luma: 8 in one byte, or more in two bytes with the low one first.
  private let bits: Int

  /// Returns nil if the format is unknown or the picture has too few bytes for its lines.
  init?(_ layout: ImageLayout, byteCount: Int) {
    switch layout.pixelFormat {
    case .grey, .nv12, .yu12, .bayerRGGB8: (offset, bytesPerPixel, bits) = (0, 1, 8)
    case .yuyv: (offset, bytesPerPixel, bits) = (0, 2, 8)
    case .uyvy: (offset, bytesPerPixel, bits) = (1, 2, 8)
    case .rgb24, .bgr24: (offset, bytesPerPixel, bits) = (1, 3, 8)
    case .bayerRGGB10: (offset, bytesPerPixel, bits) = (0, 2, 10)
    case .z16: (offset, bytesPerPixel, bits) = (0, 2, 12)
    default: return nil
    }
    size = layout.size
    bytesPerLine = layout.bytesPerLine
    guard bytesPerLine >= size.width * bytesPerPixel, byteCount >= bytesPerLine * size.height
    else { return nil }
  }

  /// The mean of nine pixels around a point, 0 to 255. Points outside the picture use its edge.
  func mean(of picture: RawSpan, x: Double, y: Double, reach: Double) -> Int {
    var sum = 0
    for row in -1...1 {
      for column in -1...1 {
        sum += luma(
          of: picture,
          x: Int(x + Double(column) * reach),
          y: Int(y + Double(row) * reach)
        )
      }
    }
    return sum / 9
  }

  private func luma(of picture: RawSpan, x: Int, y: Int) -> Int {
    let x = min(max(x, 0), size.width - 1)
    let y = min(max(y, 0), size.height - 1)
    let start = y * bytesPerLine + x * bytesPerPixel + offset
    func byte(_ index: Int) -> Int {
      Int(unsafe picture.unsafeLoad(fromByteOffset: index, as: UInt8.self))
    }
    return bits == 8 ? byte(start) : (byte(start) | byte(start + 1) << 8) >> (bits - 8)
  }
}
