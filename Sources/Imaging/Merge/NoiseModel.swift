import CPixels

/// The noise of one plane, measured from the differences between two frames.
///
/// It is measured in small areas. An area that moves has larger differences, so a low quantile of
/// the areas is taken, and of each area the changes between its differences, which a moving area
/// of one brightness does not have. Noise is in each frame too, so it cannot change the differences
/// much more than the reference itself changes.
struct NoiseModel {
  /// What one area of two frames tells.
  struct Site {
    var channel: Int
    var probe: CPixels_NoiseProbe
  }

  /// How many samples an area has, and how many pairs of them give a change.
  struct Area {
    var samples: Int
    var pairs: Int
  }

  /// Noise of cameras depends on the brightness.
  static let bins = 8
  private static let binWidth = 256 / bins
  /// The lowest standard deviation of a difference of whole codes.
  private static let least: Float = 0.4
  /// The share of areas with less noise than the assumed one. More than half of a picture may move.
  private static let quantile: Float = 0.35
  /// By how much the changes in the reference may be smaller by chance.
  private static let chance: Float = 1.15
  /// The mean size of a value with a normal distribution and a standard deviation of 1.
  private static let meanSize: Float = 0.7979
  /// The standard deviation of that size.
  private static let sizeDeviation: Float = 0.6028
  /// The median of that size.
  private static let medianSize: Float = 0.6745

  /// The standard deviation of the difference of two frames, in codes.
  let deviation: Float
  /// The part of the areas that noise explains.
  let staticShare: Float
  let limits: CPixels_MergeLimits
  /// For each channel the gain of differences at each brightness of a cell.
  private(set) var gains: [Float] = []

  /// - Parameters:
  ///   - brightness: The factor that makes a sample the brightness of a cell.
  ///   - channels: How many kinds of samples there are.
  init(_ sites: [Site], _ area: Area, channels: Int, brightness: Float) {
    let perPair = Float(area.pairs) * Self.meanSize * Float(2).squareRoot()
    let bin = { (probe: CPixels_NoiseProbe) in
      let mean = Float(probe.brightness) / Float(area.samples) * brightness
      return min(Self.bins - 1, Int(mean) / Self.binWidth)
    }
    var deviations: [[Float]] = []
    for channel in 0..<channels {
      var values = [[Float]](repeating: [], count: Self.bins)
      for site in sites where site.channel == channel {
        let most = Self.chance * Float(2).squareRoot() * Float(site.probe.ownChange)
        values[bin(site.probe)].append(min(Float(site.probe.change), most) / perPair)
      }
      let deviation = max(Self.least, values.joined().quantile(Self.quantile))
      let curve = Self.curve(values, deviation)
      deviations.append(curve)
      for level in 0..<256 {
        gains.append(Float(CPixels_noiseUnit) / Self.interpolate(curve, level))
      }
    }
    let expected = { (site: Site) in deviations[site.channel][bin(site.probe)] }
    let samples = Float(area.samples)
    // Noise that is alike in neighbouring samples changes sums more.
    let ratios = sites.map { site in
      (
        magnitude: Float(site.probe.magnitude) / (samples * Self.meanSize * expected(site)),
        sum: abs(Float(site.probe.sum)) / (samples.squareRoot() * expected(site))
      )
    }
    let still = ratios.filter { $0.magnitude <= 1.3 }
    let magnitude = min(1.3, max(0.9, still.map(\.magnitude).quantile(0.5)))
    let likeness = min(3, max(1, still.map(\.sum).quantile(0.5) / Self.medianSize))
    limits = CPixels_MergeLimits(magnitude: magnitude, likeness: likeness)
    staticShare =
      sites.isEmpty
      ? 0 : Float(still.count { $0.sum <= 4 * likeness }) / Float(sites.count)
    let usual = sites.lazy.filter { $0.channel == 0 }.map(expected).quantile(0.5)
    deviation = magnitude * max(Self.least, usual)
  }

  /// The deviation in each bin. A bin with few areas is like its nearest one.
  private static func curve(_ values: [[Float]], _ deviation: Float) -> [Float] {
    let known = values.map { values -> Float? in
      // A saturated area shows no noise.
      let noisy = values.filter { $0 > 0 }
      guard noisy.count >= 12 else { return nil }
      return max(least, min(4 * deviation, max(deviation / 4, noisy.quantile(quantile))))
    }
    return (0..<bins).map { bin in
      let nearest = known.indices.filter { known[$0] != nil }.min { abs($0 - bin) < abs($1 - bin) }
      return nearest.flatMap { known[$0] } ?? deviation
    }
  }

  private static func interpolate(_ curve: [Float], _ level: Int) -> Float {
    let place = max(0, min(Float(bins - 1), (Float(level) + 0.5) / Float(binWidth) - 0.5))
    let (before, share) = (Int(place), place - Float(Int(place)))
    return (1 - share) * curve[before] + share * curve[min(before + 1, bins - 1)]
  }
}

extension CPixels_MergeLimits {
  /// Limits in standard deviations of what noise explains.
  /// - Parameters:
  ///   - magnitude: By which factor differences are larger than those of white noise.
  ///   - likeness: By which factor sums of a box's differences vary more.
  fileprivate init(magnitude: Float, likeness: Float) {
    let unit = Float(CPixels_noiseUnit)
    let length = Float(CPixels_boxLength)
    let (low, high): (Float, Float) = (2, 3.5)
    let sum = length * unit * likeness
    let mean = length * length * unit * 0.7979 * magnitude
    let spread = length * unit * 0.6028 * likeness
    self.init(
      sumLow: UInt16(low * sum), sumHigh: UInt16(high * sum),
      magnitudeLow: UInt16(mean + low * spread), magnitudeHigh: UInt16(mean + high * spread),
      sampleLow: UInt16(2.5 * unit), sampleHigh: UInt16(3.5 * unit))
  }
}

extension Sequence<Float> {
  /// The value that this share of the values does not exceed; 0 of none.
  func quantile(_ share: Float) -> Float {
    let values = sorted()
    return values.isEmpty ? 0 : values[Int(share * Float(values.count - 1))]
  }
}
