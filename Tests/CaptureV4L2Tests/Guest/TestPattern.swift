import Capture
import Imaging
import TestSupport
import Testing

/// vivid's eight colour bars of 75 %, and how to find them in a frame.
enum TestPattern {
  static let colours: [[Int]] = [
    [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0],
    [191, 0, 191], [191, 0, 0], [0, 0, 191], [0, 0, 0],
  ]
  /// The same as vivid's monochrome formats have it.
  static let greys = [190, 176, 149, 136, 54, 40, 13, 0].map { [$0, $0, $0] }

  /// The colours in the middle of the bars, below the text, as a JPEG of the frame shows them.
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

  /// The largest difference of one colour's part.
  static func difference(_ left: [[Int]], _ right: [[Int]]) -> Int {
    zip(left.joined(), right.joined()).map { abs($0 - $1) }.max() ?? .max
  }
}
