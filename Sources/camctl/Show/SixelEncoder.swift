import Imaging

/// Draws pictures as sixel graphics (DEC STD 070, section 9): bands of six rows, in which each
/// colour is a line of its own.
///
/// The palette is fixed: six steps each of red, green and blue, which every such terminal has room
/// for. Ordered dithering hides the steps, and keeps still pictures still.
struct SixelEncoder {
  private static let steps = 6
  private static let colourCount = steps * steps * steps
  private static let bandHeight = 6

  /// The 64 thresholds of Bayer's 8x8 matrix, from 0 to 63.
  private static let thresholds: [Int] = (0..<64).map { index in
    let (x, y) = (index % 8, index / 8)
    // The bits of x ^ y and y take turns, the lowest ones first.
    return (0..<3).reduce(0) { value, bit in
      value << 2 | ((x ^ y) >> bit & 1) << 1 | (y >> bit & 1)
    }
  }

  /// For each place in the 8x8 matrix the step of each of the 256 values.
  private static let quantized: [[UInt8]] = thresholds.map { threshold in
    (0..<256).map { value in
      // The distance between two steps is 255 / 5 = 51.
      UInt8(min(steps - 1, (value * 64 + 51 * threshold + 25) / (51 * 64)))
    }
  }

  private var output: [UInt8] = []
  private var usedColours = [Bool](repeating: false, count: colourCount)
  /// A band: for each colour a row of sixels, each with six bits for its rows.
  private var band: [UInt8] = []
  /// The columns of the band in which a colour has sixels.
  private var ranges = [Range<Int>?](repeating: nil, count: colourCount)

  private init() {}

  /// The escape sequence that draws the picture in its exact size.
  static func encode(_ picture: RGBPicture) -> [UInt8] {
    var encoder = SixelEncoder()
    encoder.drawBands(of: picture)
    let (size, bands) = (picture.size, encoder.output)
    // Pixels that are not set stay as they are (P2 = 1). Pixels are square.
    var output = Array("\u{1B}P0;1q\"1;1;\(size.width);\(size.height)".utf8)
    for colour in 0..<colourCount where encoder.usedColours[colour] {
      let parts = [colour / 36, colour / 6 % 6, colour % 6].map { "\($0 * 100 / (steps - 1))" }
      output += Array("#\(colour);2;\(parts.joined(separator: ";"))".utf8)
    }
    return output + bands + Array("\u{1B}\\".utf8)
  }

  private mutating func drawBands(of picture: RGBPicture) {
    band = [UInt8](repeating: 0, count: Self.colourCount * picture.size.width)
    for top in stride(from: 0, to: picture.size.height, by: Self.bandHeight) {
      fillBand(from: top, picture)
      writeBand(picture.size.width)
    }
  }

  private mutating func fillBand(from top: Int, _ picture: RGBPicture) {
    let width = picture.size.width
    for y in top..<min(top + Self.bandHeight, picture.size.height) {
      let bit = UInt8(1 << (y - top))
      for x in 0..<width {
        let index = 3 * (y * width + x)
        let colour = Self.colour(picture.pixels, at: index, x, y)
        band[colour * width + x] |= bit
        if let range = ranges[colour] {
          ranges[colour] = min(range.lowerBound, x)..<max(range.upperBound, x + 1)
        } else {
          ranges[colour] = x..<(x + 1)
        }
      }
    }
  }

  private static func colour(_ pixels: [UInt8], at index: Int, _ x: Int, _ y: Int) -> Int {
    let row = quantized[y % 8 * 8 + x % 8]
    return 36 * Int(row[Int(pixels[index])]) + 6 * Int(row[Int(pixels[index + 1])])
      + Int(row[Int(pixels[index + 2])])
  }

  /// Writes the band's colours one over the other, and empties the band.
  private mutating func writeBand(_ width: Int) {
    for colour in 0..<Self.colourCount {
      guard let range = ranges[colour] else { continue }
      ranges[colour] = nil
      usedColours[colour] = true
      output.append(UInt8(ascii: "#"))
      output += Array("\(colour)".utf8)
      write(0, range.lowerBound)
      var (sixel, count) = (UInt8(0), 0)
      for index in (colour * width + range.lowerBound)..<(colour * width + range.upperBound) {
        if band[index] != sixel {
          write(sixel, count)
          (sixel, count) = (band[index], 0)
        }
        count += 1
        band[index] = 0
      }
      write(sixel, count)
      output.append(UInt8(ascii: "$"))
    }
    output.append(UInt8(ascii: "-"))
  }

  /// Writes a sixel as often as it occurs in a row.
  private mutating func write(_ sixel: UInt8, _ count: Int) {
    let character = 63 + sixel
    if count > 3 {
      output.append(UInt8(ascii: "!"))
      output += Array("\(count)".utf8)
      output.append(character)
    } else {
      for _ in 0..<count { output.append(character) }
    }
  }
}
