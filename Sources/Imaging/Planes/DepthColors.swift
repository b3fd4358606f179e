import Glibc

/// The colours in which distances are shown. The same distance always has the same colour.
///
/// The hue grows by 48° with every doubling of the distance: red (0°) at 0.25 m, then yellow, green
/// and cyan, to blue (240°) at 8 m. So the distance is 0.25 m × 2^(hue / 48°). Nearer and farther
/// distances have the colours of these two ends. Black means that the distance is not known.
enum DepthColors {
  /// In millimetres.
  private static let nearest = 250.0
  private static let doublings = 5.0

  /// The value of each distance: 255 for the nearest to 1 for the farthest, and 0 for unknown.
  static let values: [UInt8] = (0...65535).map { distance in
    if distance == 0 { return 0 }
    let share = log2(Double(distance) / nearest) / doublings
    return UInt8(255 - (254 * min(max(share, 0), 1)).rounded())
  }

  /// The red, green and blue of each value.
  static let palette: [UInt8] = (0...255).flatMap { value -> [UInt8] in
    value == 0 ? [0, 0, 0] : color(hue: 240 * Double(255 - value) / 254)
  }

  /// A bright and pure colour. The hue is in degrees, from 0 to 240.
  private static func color(hue: Double) -> [UInt8] {
    [0.0, 120, 240].map { primary in
      UInt8((255 * min(max(2 - abs(hue - primary) / 60, 0), 1)).rounded())
    }
  }
}
