import Capture
import Imaging
import TestSupport
import Testing

/// vivid's eight 75 % colour bars, and how to find them in a frame.
enum TestPattern {
  static let colours: [[Int]] = [
    [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0],
    [191, 0, 191], [191, 0, 0], [0, 0, 191], [0, 0, 0],
  ]
  /// The bars of a Bayer sensor, whose samples count light: a picture has them with sRGB's curve
  /// (IEC 61966-2-1). Vivid's samples are the numbers of its other formats, and 191 of 255 of the
  /// light is 224.
  static let sensorColours = colours.map { $0.map { $0 == 191 ? 224 : $0 } }
  /// The same bars in vivid's monochrome formats.
  static let greys = [190, 176, 149, 136, 54, 40, 13, 0].map { [$0, $0, $0] }

  /// The colours at the centres of the bars, below the text, from a JPEG of the frame.
  static func bars(in frame: Frame) throws -> [[Int]] {
    let size = frame.layout.size
    let picture = try JPEGEncoder().encode(frame.bytes, frame.layout)
    let decoder = try JPEGDecoder()
    let pixels = try unsafe decoder.decodeRGB(picture.span.bytes).pixels
    let row = size.height - 4
    return (0..<8).map { bar in
      let column = size.width * (2 * bar + 1) / 16
      let start = (row * size.width + column) * 3
      return pixels[start..<start + 3].map(Int.init)
    }
  }

  /// The largest difference of a colour channel.
  static func difference(_ left: [[Int]], _ right: [[Int]]) -> Int {
    zip(left.joined(), right.joined()).map { abs($0 - $1) }.max() ?? .max
  }
}
