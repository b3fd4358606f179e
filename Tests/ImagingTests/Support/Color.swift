import Imaging

/// Red, green and blue in the range 0...255.
struct Color: Hashable, CustomStringConvertible {
  var red: Double
  var green: Double
  var blue: Double

  static let bars: [Color] = [
    Color(red: 255, green: 255, blue: 255), Color(red: 255, green: 255, blue: 0),
    Color(red: 0, green: 255, blue: 255), Color(red: 0, green: 255, blue: 0),
    Color(red: 255, green: 0, blue: 255), Color(red: 255, green: 0, blue: 0),
    Color(red: 0, green: 0, blue: 255), Color(red: 0, green: 0, blue: 0),
  ]

  var description: String { "(\(red), \(green), \(blue))" }

  /// The codes for a range and matrix, by the formulas of the recommendations.
  func codes(
    _ range: ImageLayout.Range,
    _ matrix: ImageLayout.Matrix
  ) -> (y: UInt8, cb: UInt8, cr: UInt8) {
    let (kr, kb) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let y = (kr * red + (1 - kr - kb) * green + kb * blue) / 255
    let cb = (blue / 255 - y) / (2 * (1 - kb))
    let cr = (red / 255 - y) / (2 * (1 - kr))
    return switch range {
    case .full: (code(255 * y), code(128 + 255 * cb), code(128 + 255 * cr))
    case .limited: (code(16 + 219 * y), code(128 + 224 * cb), code(128 + 224 * cr))
    }
  }

  /// The luma, as a grey camera has it.
  var grey: Color {
    let y = 0.299 * red + 0.587 * green + 0.114 * blue
    return Color(red: y, green: y, blue: y)
  }

  func distance(to other: Color) -> Double {
    max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
  }

  private func code(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
}
