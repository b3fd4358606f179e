import Glibc
import Imaging

/// A colour with 8 bits per channel.
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

  /// Converts to luma and chroma by the BT.601 matrix, in JFIF's full range or in the limited range
  /// of video.
  func yCbCr(_ range: ImageLayout.Range) -> (y: UInt8, cb: UInt8, cr: UInt8) {
    let (r, g, b) = (Double(red), Double(green), Double(blue))
    let luma = 0.299 * r + 0.587 * g + 0.114 * b
    let (blueness, redness) = ((b - luma) / 1.772, (r - luma) / 1.402)
    func code(_ value: Double) -> UInt8 { UInt8(min(value.rounded(), 255)) }
    return switch range {
    case .full: (code(luma), code(128 + blueness), code(128 + redness))
    case .limited:
      (
        code(16 + luma * 219 / 255), code(128 + blueness * 224 / 255),
        code(128 + redness * 224 / 255)
      )
    }
  }

  /// The samples of a sensor, which counts light, in so many bits: the colour without sRGB's curve
  /// (IEC 61966-2-1).
  func light(bits: UInt16) -> (red: UInt16, green: UInt16, blue: UInt16) {
    func sample(_ code: UInt8) -> UInt16 {
      let most = UInt32(1) << bits - 1
      return UInt16((UInt32(Self.light[Int(code)]) * most + 32_767) / 65_535)
    }
    return (sample(red), sample(green), sample(blue))
  }

  /// The light of each code, of 65535.
  private static let light: [UInt16] = (0...255).map { code in
    let value = Double(code) / 255
    let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    return UInt16((light * 65_535).rounded())
  }

  func map(_ transform: (UInt8) -> UInt8) -> RGB {
    RGB(red: transform(red), green: transform(green), blue: transform(blue))
  }

  /// Interpolates between this colour (share 0) and `other` (share 1).
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
