import Imaging
import TestSupport

/// A decoded JPEG.
struct Picture {
  var size: ImageSize
  var pixels: [UInt8]

  init(_ jpeg: [UInt8], atLeast target: ImageSize? = nil) throws {
    (size, pixels) = try unsafe JPEGDecoder().decodeRGB(jpeg.span.bytes, atLeast: target)
  }

  func color(_ x: Int, _ y: Int) -> Color {
    let index = 3 * (y * size.width + x)
    return Color(
      red: Double(pixels[index]),
      green: Double(pixels[index + 1]),
      blue: Double(pixels[index + 2])
    )
  }

  /// The mean colour of the middle half of one of `count` upright bars.
  func barColor(_ bar: Int, of count: Int) -> Color {
    let width = Double(size.width) / Double(count)
    let columns = Int((Double(bar) + 0.25) * width)..<Int((Double(bar) + 0.75) * width)
    var sum = Color(red: 0, green: 0, blue: 0)
    for y in 0..<size.height {
      for x in columns {
        let color = color(x, y)
        sum.red += color.red
        sum.green += color.green
        sum.blue += color.blue
      }
    }
    let samples = Double(columns.count * size.height)
    return Color(red: sum.red / samples, green: sum.green / samples, blue: sum.blue / samples)
  }
}

extension JPEGScaler {
  /// Scales into a new array.
  func scale(
    _ jpeg: [UInt8],
    to target: ImageSize,
    capacity: Int? = nil
  ) throws(ImagingError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: capacity ?? JPEGEncoder.maximumByteCount(for: target))
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let byteCount = try unsafe scale(jpeg.span.bytes, to: target, quality: 90, into: &bytes)
    return Array(output[..<byteCount])
  }
}

/// Colour bars as a camera's JPEG.
enum TestJPEG {
  static func bars(
    _ size: ImageSize = ImageSize(width: 320, height: 240),
    _ format: PixelFormat = .yuyv,
    _ colors: [Color] = Color.bars
  ) throws -> [UInt8] {
    let layout = try ImageLayout(size: size, pixelFormat: format, range: .full)
    return try JPEGEncoder().encode(TestPicture.bars(layout, colors), layout)
  }
}

extension JPEGHeader {
  /// The header of a JPEG in an array.
  static func read(_ jpeg: [UInt8]) throws(ImagingError) -> JPEGHeader {
    try unsafe JPEGHeader(jpeg.span.bytes)
  }
}
