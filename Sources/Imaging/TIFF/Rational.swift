/// A fraction of two whole numbers of 32 bits, as TIFF has them (TIFF 6.0, section 2).
struct Rational<Part: FixedWidthInteger & Sendable>: Hashable, Sendable {
  let numerator: Part
  let denominator: Part

  init(_ numerator: Part, _ denominator: Part = 1) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }
}

extension Rational<UInt32> {
  /// Seconds as a reduced fraction. It is exact unless it needs a larger numerator than 32 bits
  /// hold; then it is rounded to the finest decimal place that fits. Nil for negative times and for
  /// those that are too long.
  init?(nanoseconds: Int64) {
    guard nanoseconds >= 0 else { return nil }
    self.init(UInt64(nanoseconds), 1_000_000_000)
  }

  /// The value to six decimal places, or fewer if it is large. Nil if it is negative, too large or
  /// no number.
  init?(decimal value: Double) {
    guard value >= 0, value < 4_294_967_295 else { return nil }
    self.init(UInt64((value * 1_000_000).rounded()), 1_000_000)
  }

  /// - Parameter denominator: A power of ten.
  private init?(_ numerator: UInt64, _ denominator: UInt64) {
    var (upper, lower) = (numerator, denominator)
    while true {
      let divisor = Self.commonDivisor(upper, lower)
      if let numerator = UInt32(exactly: upper / divisor),
        let denominator = UInt32(exactly: lower / divisor)
      {
        self.init(numerator, denominator)
        return
      }
      guard lower >= 10 else { return nil }
      (upper, lower) = ((upper + 5) / 10, lower / 10)
    }
  }

  private static func commonDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }
}
