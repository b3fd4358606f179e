extension FrameRate {
  /// The fraction that drivers use for a decimal rate: whole numbers (30/1), the television rates
  /// (29.97 is 30000/1001), and thousandths for all others (12.5 is 12500/1000).
  ///
  /// Nil unless the rate is between 0.001 and 100 000 frames per second.
  package init?(framesPerSecond rate: Double) {
    guard rate >= 0.001, rate <= 100_000 else { return nil }
    let television = (rate * 1.001).rounded()
    if rate == rate.rounded() {
      self.init(UInt32(rate))
    } else if television > 0, abs(television / 1.001 - rate) < 0.005 {
      self.init(UInt32(television) * 1000, over: 1001)
    } else {
      self.init(UInt32((rate * 1000).rounded()), over: 1000)
    }
  }
}
