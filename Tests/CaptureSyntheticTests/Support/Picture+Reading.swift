import CaptureSynthetic
import Imaging

extension Picture {
  /// The content of the picture's strip.
  var strip: FrameStrip? {
    unsafe FrameStrip.read(bytes.span.bytes, layout: layout)
  }

  /// The picture decoded from JPEG to RGB.
  func decoded() throws -> Picture {
    let (size, pixels) = try unsafe JPEGDecoder().decodeRGB(bytes.span.bytes)
    let layout = try ImageLayout(size: size, pixelFormat: .rgb24)
    return Picture(layout: layout, metadata: metadata, bytes: pixels)
  }

  /// A pixel of a grey picture. The coordinates are shares of the width and height.
  func grey(_ x: Double, _ y: Double) -> Int {
    let column = Int(x * Double(layout.size.width))
    let row = Int(y * Double(layout.size.height))
    return Int(bytes[row * layout.bytesPerLine + column])
  }

  /// The mean of a grey picture's upper half, which has neither the marker nor the strip.
  var mean: Double {
    let half = bytes.prefix(layout.bytesPerLine * layout.size.height / 2)
    return half.reduce(0.0) { $0 + Double($1) } / Double(half.count)
  }
}
