import Imaging

/// Draws pictures with plain characters: the brighter, the more ink, because most terminals are
/// dark.
enum TextPicture {
  private static let inks = Array(" .:-=+*#%@")

  /// A line of characters for each row of the picture.
  static func lines(_ picture: RGBPicture) -> [String] {
    (0..<picture.size.height).map { y in
      let line = (0..<picture.size.width).map { x in ink(picture.pixel(x, y)) }
      return String(line)
    }
  }

  private static func ink(_ pixel: RGBPicture.Pixel) -> Character {
    // The weights of BT.601.
    let brightness = 299 * Int(pixel.red) + 587 * Int(pixel.green) + 114 * Int(pixel.blue)
    return inks[min(inks.count - 1, brightness * inks.count / 255_000)]
  }
}
