/// How a colour sensor sees: CIE XYZ under daylight (D65) to the sensor's red, green and blue.
package struct ColorMatrix: Hashable, Sendable {
  /// Nine factors, row after row: the first row makes red.
  package let factors: [Double]

  /// Nil unless there are nine factors between -1000 and 1000.
  package init?(_ factors: [Double]) {
    guard factors.count == 9, factors.allSatisfy({ (-1000...1000).contains($0) }) else {
      return nil
    }
    self.factors = factors
  }

  private init(sRGB factors: [Double]) { self.factors = factors }

  /// A sensor whose colours are those of sRGB (IEC 61966-2-1). It stands for sensors whose colours
  /// are not known.
  package static let sRGB = ColorMatrix(
    sRGB: [
      3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259,
      1.0572252,
    ])
}

extension ColorMatrix {
  /// The factors in ten-thousandths, as DNG files usually have them.
  var rationals: [Rational<Int32>] {
    factors.map { Rational(Int32(($0 * 10_000).rounded()), 10_000) }
  }
}
