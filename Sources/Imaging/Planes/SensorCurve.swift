import Glibc

/// Makes sRGB's codes of a Bayer sensor's samples, which are linear: twice the light is twice the
/// number. The formula is that of IEC 61966-2-1. Black is the sensor's black level, and white its
/// highest sample.
///
/// It is a table that is kept between pictures.
struct SensorCurve<Code: FixedWidthInteger & UnsignedInteger> {
  private var bits = 0
  private var black = 0
  /// The code of each sample.
  private(set) var codes: [Code] = []

  /// - Parameter black: Below the highest sample.
  mutating func prepare(bits: Int, black: Int) {
    guard bits != self.bits || black != self.black else { return }
    (self.bits, self.black) = (bits, black)
    let white = 1 << bits - 1
    codes = (0...white).map { sample in
      let light = Double(max(0, sample - black)) / Double(white - black)
      let value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
      return Code((value * Double(Code.max)).rounded())
    }
  }
}
