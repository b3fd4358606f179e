import Imaging
import TestSupport

/// Red, green and blue in the range 0...255.
struct Color: Hashable, CustomStringConvertible {
  var red: Double
  var green: Double
  var blue: Double

  static let patches: [Color] = [
    Color(red: 255, green: 255, blue: 255), Color(red: 255, green: 255, blue: 0),
    Color(red: 0, green: 255, blue: 255), Color(red: 0, green: 255, blue: 0),
    Color(red: 255, green: 0, blue: 255), Color(red: 255, green: 0, blue: 0),
    Color(red: 0, green: 0, blue: 255), Color(red: 0, green: 0, blue: 0),
    Color(red: 200, green: 120, blue: 60), Color(red: 90, green: 130, blue: 160),
  ]

  var description: String { "(\(red), \(green), \(blue))" }

  /// By the formulas of ITU-R BT.601.
  var luma: Double { 0.299 * red + 0.587 * green + 0.114 * blue }

  /// The full-range codes.
  var codes: [UInt8] {
    [luma, 128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402].map {
      UInt8(max(0, min(255, $0.rounded())))
    }
  }

  var grey: Color { Color(red: luma, green: luma, blue: luma) }

  func distance(to other: Color) -> Double {
    max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
  }
}

extension PlanarPicture {
  /// Upright bars of equal width, at most one for each 16 columns.
  static func patches(_ size: ImageSize, _ subsampling: ChromaSubsampling) -> PlanarPicture {
    let count = patchCount(size)
    let chroma = subsampling.chromaSize(size)
    var bytes: [UInt8] = []
    for (plane, size) in [size, chroma, chroma].enumerated() {
      let row = (0..<size.width).map { Color.patches[$0 * count / size.width].codes[plane] }
      for _ in 0..<size.height { bytes += row }
    }
    return PlanarPicture(size: size, subsampling: subsampling, bytes: bytes)
  }

  static func patchCount(_ size: ImageSize) -> Int {
    max(1, min(size.width / 16, Color.patches.count))
  }

  /// A picture that takes time to encode.
  static func noise(_ size: ImageSize) -> PlanarPicture {
    let chroma = ChromaSubsampling.yuv420.chromaSize(size)
    let count = size.width * size.height + 2 * chroma.width * chroma.height
    var random = SeededGenerator(seed: 1)
    let piece = (0..<min(count, 65_537)).map { _ in UInt8.random(in: 0...255, using: &random) }
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += piece.prefix(count - bytes.count) }
    return PlanarPicture(size: size, subsampling: .yuv420, bytes: bytes)
  }
}

extension ImageSize {
  /// Sizes by width and height.
  static func each(_ pairs: (Int, Int)...) -> [ImageSize] {
    pairs.map { ImageSize(width: $0.0, height: $0.1) }
  }
}
