import Imaging

/// Reads the brightness of single pixels from a raw picture. Black and white are exact.
struct LumaSampler {
  /// The place of luma in a format's bytes.
  private struct Place {
    /// The bytes of a pixel, or of a group of pixels.
    var bytes: Int
    /// The pixels of a group, whose first bytes have luma.
    var pixels = 1
    /// The offset of luma in these bytes.
    var offset = 0
    /// How many bytes luma takes, the low one first.
    var width = 1
    /// How far luma is shifted to get 8 bits.
    var shift = 0
  }

  let size: ImageSize
  private let bytesPerLine: Int
  private let place: Place

  /// Returns nil if the format is unknown or the picture has too few bytes for its lines.
  init?(_ layout: ImageLayout, byteCount: Int) {
    switch layout.pixelFormat {
    case .grey, .nv12, .yu12, .bayerRGGB8: place = Place(bytes: 1)
    case .yuyv: place = Place(bytes: 2)
    case .uyvy: place = Place(bytes: 2, offset: 1)
    case .rgb24, .bgr24: place = Place(bytes: 3, offset: 1)
    case .bayerRGGB10, .y10: place = Place(bytes: 2, width: 2, shift: 2)
    // Distances go up to 4095 mm.
    case .bayerRGGB12, .y12, .z16: place = Place(bytes: 2, width: 2, shift: 4)
    case .bayerRGGB16, .y16: place = Place(bytes: 2, width: 2, shift: 8)
    case .bayerRGGB12P: place = Place(bytes: 3, pixels: 2)
    // The red of the highest byte.
    case .rgb565: place = Place(bytes: 2, offset: 1)
    default: return nil
    }
    size = layout.size
    bytesPerLine = layout.bytesPerLine
    let groups = (size.width + place.pixels - 1) / place.pixels
    guard bytesPerLine >= groups * place.bytes, byteCount >= bytesPerLine * size.height
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
    let group = y * bytesPerLine + x / place.pixels * place.bytes
    let start = group + x % place.pixels + place.offset
    let luma = (0..<place.width).reduce(0) { luma, index in
      let byte = unsafe picture.unsafeLoad(fromByteOffset: start + index, as: UInt8.self)
      return luma | Int(byte) << (8 * index)
    }
    return luma >> place.shift
  }
}
