import Capture

/// The frame rates that a driver offers for a format at a size.
enum RateOffer: Hashable, Sendable {
  case discrete([FrameRate])
  /// Any rate between these two. Steps are ignored.
  case range(slowest: FrameRate, fastest: FrameRate)

  /// The rates as a list, the fastest first. A range yields its ends, the common rates in it, and
  /// `wanted` if it contains it.
  func rates(including wanted: Double?) -> [FrameRate] {
    let rates: [FrameRate]
    switch self {
    case .discrete(let offered):
      rates = offered
    case .range(let slowest, let fastest):
      // Some drivers exchange the two.
      let ends = [slowest.framesPerSecond, fastest.framesPerSecond].sorted()
      let bounds = ends[0]...ends[1]
      let inside = Self.common + (wanted.flatMap(FrameRate.init(nearest:)).map { [$0] } ?? [])
      rates = [fastest, slowest] + inside.filter { bounds.contains($0.framesPerSecond) }
    }
    var seen: Set<Double> = []
    return rates.filter { seen.insert($0.framesPerSecond).inserted }
      .sorted { $0.framesPerSecond > $1.framesPerSecond }
  }

  private static let common = [60, 50, 30, 25, 20, 15, 10, 5, 1].compactMap {
    FrameRate(UInt32($0))
  }
}

extension FrameRate {
  /// The rate as a fraction, rounded to thousandths; nil if it is out of range.
  init?(nearest framesPerSecond: Double) {
    guard framesPerSecond.isFinite, (0.001...1_000_000).contains(framesPerSecond) else {
      return nil
    }
    let whole = framesPerSecond.rounded()
    if whole == framesPerSecond {
      self.init(UInt32(whole))
    } else {
      self.init(UInt32((framesPerSecond * 1000).rounded()), over: 1000)
    }
  }

  /// Whether a user who writes this number means this rate. 29.97 and 30 match each other.
  func matches(_ framesPerSecond: Double) -> Bool {
    abs(self.framesPerSecond - framesPerSecond) <= framesPerSecond * 0.005
  }
}
