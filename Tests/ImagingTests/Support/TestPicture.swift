import Imaging

/// Reference pictures, painted pixel by pixel from the definitions of the formats.
enum TestPicture {
  /// Upright bars of equal width.
  static func bars(
    _ layout: ImageLayout,
    _ colors: [Color] = Color.bars,
    padding: UInt8 = 0
  ) -> [UInt8] {
    paint(layout, padding: padding) { x, _ in colors[x * colors.count / layout.size.width] }
  }

  /// - Parameter padding: The value of the bytes beyond the picture's width.
  static func paint(
    _ layout: ImageLayout,
    padding: UInt8 = 0,
    _ color: (_ x: Int, _ y: Int) -> Color
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: padding, count: layout.byteCount)
    for y in 0..<layout.size.height {
      for x in 0..<layout.size.width {
        put(color(x, y), x, y, layout, &bytes)
      }
    }
    return bytes
  }

  private static func put(
    _ color: Color,
    _ x: Int,
    _ y: Int,
    _ layout: ImageLayout,
    _ bytes: inout [UInt8]
  ) {
    let codes = color.codes(layout.range, layout.matrix)
    let (stride, height) = (layout.bytesPerLine, layout.size.height)
    let pair = y * stride + x / 2 * 4
    let chromaStart = stride * height
    let (halfStride, halfHeight) = ((stride + 1) / 2, (height + 1) / 2)

    func packed(luma: Int, blue: Int, red: Int) {
      bytes[pair + luma + x % 2 * 2] = codes.y
      bytes[pair + blue] = codes.cb
      bytes[pair + red] = codes.cr
      // The luma of a missing neighbour of the last pixel stays as it is.
    }
    func interleaved(rows: Int, blue: Int) {
      bytes[y * stride + x] = codes.y
      let start = chromaStart + y / rows * 2 * halfStride + x / 2 * 2
      bytes[start + blue] = codes.cb
      bytes[start + 1 - blue] = codes.cr
    }
    func planar(rows: Int, blue: Int) {
      bytes[y * stride + x] = codes.y
      let planeSize = halfStride * (rows == 2 ? halfHeight : height)
      let offset = chromaStart + y / rows * halfStride + x / 2
      bytes[offset + blue * planeSize] = codes.cb
      bytes[offset + (1 - blue) * planeSize] = codes.cr
    }

    switch layout.pixelFormat {
    case .yuyv: packed(luma: 0, blue: 1, red: 3)
    case .yvyu: packed(luma: 0, blue: 3, red: 1)
    case .uyvy: packed(luma: 1, blue: 0, red: 2)
    case .vyuy: packed(luma: 1, blue: 2, red: 0)
    case .nv12: interleaved(rows: 2, blue: 0)
    case .nv21: interleaved(rows: 2, blue: 1)
    case .nv16: interleaved(rows: 1, blue: 0)
    case .yu12: planar(rows: 2, blue: 0)
    case .yv12: planar(rows: 2, blue: 1)
    case .yuv422p: planar(rows: 1, blue: 0)
    case .grey: bytes[y * stride + x] = codes.y
    case .rgb24, .bgr24:
      let order = [color.red, color.green, color.blue]
      for (index, value) in (layout.pixelFormat == .rgb24 ? order : order.reversed()).enumerated() {
        bytes[y * stride + 3 * x + index] = UInt8(value)
      }
    default:
      guard let sensor = TestSensor.all.first(where: { $0.format == layout.pixelFormat }) else {
        preconditionFailure("no test paints \(layout.pixelFormat)")
      }
      sensor.put(color, x, y, layout, &bytes)
    }
  }
}

extension PixelFormat {
  static let lumaAndChroma: [PixelFormat] = [
    .yuyv, .yvyu, .uyvy, .vyuy, .nv12, .nv21, .nv16, .yu12, .yv12, .yuv422p,
  ]
  static let mosaics = TestSensor.all.filter { $0.pattern != nil }.map(\.format)
  static let deepGreys = TestSensor.all.filter { $0.pattern == nil }.map(\.format)
  static let colored = lumaAndChroma + [.rgb24, .bgr24] + mosaics
  /// The formats that the encoder accepts and that show a scene as it looks.
  static let encodable = colored + [.grey] + deepGreys
  /// One or more of each way in which they are read.
  static let varied =
    lumaAndChroma + [.rgb24, .bgr24, .grey, .y16, .bayerGBRG8, .bayerBGGR10, .bayerRGGB12P]

  var isGrey: Bool { self == .grey || isDeepGrey }
}
