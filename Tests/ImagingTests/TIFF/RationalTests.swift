import Testing

@testable import Imaging

struct RationalTests {
  @Test(
    arguments: [
      (10_000_000, 1, 100), (1_000_000_000, 1, 1), (0, 0, 1),
      (33_333_333, 33_333_333, 1_000_000_000),
      (1, 1, 1_000_000_000), (2_500_000_000, 5, 2), (30_000_000_000, 30, 1),
      // The largest numerator, and one more, which is rounded to ten nanoseconds.
      (4_294_967_291, 4_294_967_291, 1_000_000_000), (4_294_967_297, 42_949_673, 10_000_000),
      (4_294_967_295_000_000_000, 4_294_967_295, 1),
    ] as [(Int64, UInt32, UInt32)])
  func `An exposure time is reduced and exact while it fits`(
    nanoseconds: Int64, numerator: UInt32, denominator: UInt32
  ) {
    #expect(Rational(nanoseconds: nanoseconds) == Rational(numerator, denominator))
  }

  @Test(arguments: [-1, .min, .max] as [Int64])
  func `Times that no fraction holds are refused`(nanoseconds: Int64) {
    #expect(Rational(nanoseconds: nanoseconds) == nil)
  }

  @Test(
    arguments: [
      (4.3, 43, 10), (2, 2, 1), (0, 0, 1), (1.8, 9, 5), (1.0 / 3, 333_333, 1_000_000),
      (4294.967291, 4_294_967_291, 1_000_000), (123_456.5, 246_913, 2),
      (4_294_967_294, 4_294_967_294, 1),
    ] as [(Double, UInt32, UInt32)])
  func `A decimal number keeps as many places as fit`(
    value: Double, numerator: UInt32, denominator: UInt32
  ) {
    #expect(Rational(decimal: value) == Rational(numerator, denominator))
  }

  @Test(arguments: [-0.1, .nan, .infinity, -.infinity, 4_294_967_296, 1e300])
  func `Numbers that no fraction holds are refused`(value: Double) {
    #expect(Rational(decimal: value) == nil)
  }
}
