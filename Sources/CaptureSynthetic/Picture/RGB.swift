/// A colour, 8 bits a channel.
package struct RGB: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  package init(grey: UInt8) {
    self.init(red: grey, green: grey, blue: grey)
  }

  package static let black = RGB(grey: 0)
  package static let white = RGB(grey: 255)

  /// The colour in JFIF's components: BT.601 matrix, full range.
  var yCbCr: (y: UInt8, cb: UInt8, cr: UInt8) {
    let (r, g, b) = (Int(red), Int(green), Int(blue))
    // Factors in 65536ths; each row sums up to 65536 or to 0, so that grey stays grey.
    return (
      UInt8((19595 * r + 38470 * g + 7471 * b + 32768) >> 16),
      UInt8(min(255, ((-11059 * r - 21709 * g + 32768 * b + 32768) >> 16) + 128)),
      UInt8(min(255, ((32768 * r - 27439 * g - 5329 * b + 32768) >> 16) + 128))
    )
  }

  func map(_ transform: (UInt8) -> UInt8) -> RGB {
    RGB(red: transform(red), green: transform(green), blue: transform(blue))
  }

  /// The colour on the way from this one (0) to `other` (1).
  func mixed(with other: RGB, share: Double) -> RGB {
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8((Double(a) + (Double(b) - Double(a)) * share).rounded())
    }
    return RGB(
      red: mix(red, other.red),
      green: mix(green, other.green),
      blue: mix(blue, other.blue)
    )
  }
}
