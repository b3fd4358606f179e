import Imaging
import Testing

@testable import CaptureSynthetic

/// A picture that a test paints.
struct Canvas {
  let raster: BlockRaster
  let layout: ImageLayout
  private(set) var bytes: [UInt8]

  init(_ size: ImageSize, _ format: PixelFormat) throws {
    layout = try ImageLayout(
      size: size,
      pixelFormat: format,
      range: format == .grey || format.isSensorData ? .full : .limited
    )
    raster = try #require(BlockRaster(layout))
    bytes = Array(repeating: 7, count: raster.byteCount)
  }

  mutating func paint(_ body: (BlockRaster, inout MutableRawSpan) -> Void) {
    let raster = raster
    var span = bytes.mutableSpan
    var memory = unsafe span.mutableBytes
    body(raster, &memory)
  }

  var strip: FrameStrip? { unsafe FrameStrip.read(bytes.span.bytes, layout: layout) }

  /// A grey picture at half its width and height. Each pixel is the mean of four.
  func halved() -> (bytes: [UInt8], size: ImageSize) {
    let size = ImageSize(width: layout.size.width / 2, height: layout.size.height / 2)
    var half: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let start = 2 * y * layout.bytesPerLine + 2 * x
        let four = [start, start + 1, start + layout.bytesPerLine, start + layout.bytesPerLine + 1]
        half.append(UInt8(four.reduce(0) { $0 + Int(bytes[$1]) } / 4))
      }
    }
    return (half, size)
  }
}

/// All formats that are painted without compression.
let rawFormats: [PixelFormat] = SyntheticFormats.pixelFormats.map(\.format)
  .filter { !$0.isCompressed }
