import Imaging
import OperatingSystem

/// Draws pictures with half blocks: the character's own colour is the upper pixel, and its
/// background the lower one.
enum BlockPicture {
  private static let block: Unicode.Scalar = "▀"

  /// Whether the user's locale has the character.
  static var isPrintable: Bool { UserCharacters.columns(of: block) == 1 }

  /// A line of characters for each two rows of the picture.
  static func lines(_ picture: RGBPicture, _ depth: ColourDepth) -> [String] {
    stride(from: 0, to: picture.size.height, by: 2).map { line(of: picture, from: $0, depth) }
  }

  private static func line(
    of picture: RGBPicture, from row: Int, _ depth: ColourDepth
  ) -> String {
    var line = ""
    var (upper, lower) = ("", "")
    for x in 0..<picture.size.width {
      let newUpper = "38;" + depth.words(picture.pixel(x, row))
      let newLower =
        row + 1 < picture.size.height ? "48;" + depth.words(picture.pixel(x, row + 1)) : "49"
      let changes = [newUpper != upper ? newUpper : nil, newLower != lower ? newLower : nil]
        .compactMap(\.self)
      if !changes.isEmpty { line += "\u{1B}[\(changes.joined(separator: ";"))m" }
      line.unicodeScalars.append(block)
      (upper, lower) = (newUpper, newLower)
    }
    return line + "\u{1B}[0m"
  }
}

extension RGBPicture {
  typealias Pixel = (red: UInt8, green: UInt8, blue: UInt8)

  func pixel(_ x: Int, _ y: Int) -> Pixel {
    let index = 3 * (y * size.width + x)
    return (pixels[index], pixels[index + 1], pixels[index + 2])
  }
}

extension ColourDepth {
  /// The steps of red, green and blue in the palette of 256 colours.
  private static let steps = [0, 95, 135, 175, 215, 255]

  /// The colour as ECMA-48 writes it behind 38 or 48.
  fileprivate func words(_ pixel: RGBPicture.Pixel) -> String {
    switch self {
    case .full: "2;\(pixel.red);\(pixel.green);\(pixel.blue)"
    case .palette: "5;\(Self.nearest(Int(pixel.red), Int(pixel.green), Int(pixel.blue)))"
    }
  }

  /// The number of the nearest colour: of the cube of 6x6x6, or of the 24 greys behind it.
  private static func nearest(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    let cube = [red, green, blue].map { value in
      steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
    }
    let grey = max(0, min(23, ((red + green + blue) / 3 - 3) / 10))
    let level = 8 + 10 * grey
    let toCube = distance(red, green, blue, steps[cube[0]], steps[cube[1]], steps[cube[2]])
    guard distance(red, green, blue, level, level, level) < toCube else {
      return 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
    }
    return 232 + grey
  }

  private static func distance(
    _ red: Int, _ green: Int, _ blue: Int, _ otherRed: Int, _ otherGreen: Int, _ otherBlue: Int
  ) -> Int {
    let (x, y, z) = (red - otherRed, green - otherGreen, blue - otherBlue)
    return x * x + y * y + z * z
  }
}
