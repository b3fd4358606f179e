import CPixels

extension CPixels_Cover {
  /// The samples of a source that one sample of the target covers, in one direction.
  init(_ index: Int, of target: Int, from source: Int, zoom: Double) {
    let step = Double(source) / (zoom * Double(target))
    let middle = Double(source) / 2 + (Double(index) + 0.5 - Double(target) / 2) * step
    let reach = max(1, step) / 2
    // Without the rounding errors that would let it touch one more sample.
    let start = Self.rounded(max(0, middle - reach))
    let end = Self.rounded(min(Double(source), middle + reach))
    let first = min(Int(start), source - 1)
    let last = min(max(first, Int(end.rounded(.up)) - 1), source - 1)
    let share = 1 / (end - start)
    self.init(
      first: Int32(first), last: Int32(last),
      firstWeight: Float((min(end, Double(first + 1)) - start) * share),
      lastWeight: last == first ? 0 : Float((end - Double(last)) * share),
      weight: Float(share))
  }

  func weight(of sample: Int32) -> Float {
    sample == first ? firstWeight : sample == last ? lastWeight : weight
  }

  private static func rounded(_ position: Double) -> Double {
    (position * 0x1p24).rounded() * 0x1p-24
  }
}
