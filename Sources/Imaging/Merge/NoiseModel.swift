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

    /// The standard deviation of a difference, if the area shows noise only.
    fileprivate func deviation(_ area: Area) -> Float {
      let rootOfTwo = Float(2).squareRoot()
      let most = NoiseModel.chance * rootOfTwo * Float(probe.ownChange)
      return min(Float(probe.change), most) / (Float(area.pairs) * NoiseModel.meanSize * rootOfTwo)
    }
  }

  /// How many samples an area has, and how many pairs of them give a change.
  struct Area {
    var samples: Int
    var pairs: Int
  }

  /// Noise of cameras depends on the brightness.
  static let bins = 8
  private static let binWidth = 256 / bins
  /// By how much the sizes of differences may exceed those of the noise in an area that is still.
  private static let largestRatio: Float = 1.3
  /// The lowest standard deviation of a difference of whole codes.
  private static let least: Float = 0.4
  /// The share of areas that may show less noise than there is. Most of a picture may move.
  private static let quantile: Float = 0.1
  /// By how much the noise at that share is too small by chance.
  private static let correction: Float = 1.1
  /// By how much the changes in the reference may be smaller by chance.
  fileprivate static let chance: Float = 1.15
  /// The areas that a brightness needs for a measurement of its own.
  private static let leastCount = 24
  /// The mean size of a value with a normal distribution and a standard deviation of 1.
  fileprivate static let meanSize: Float = 0.7979
  /// The standard deviation of that size.
  fileprivate static let sizeDeviation: Float = 0.6028
  /// The median of that size.
  private static let medianSize: Float = 0.6745

  /// The standard deviation of the difference of two frames, in codes.
  let deviation: Float
  /// The part of the areas that noise explains.
  let staticShare: Float
  let limits: CPixels_MergeLimits
  /// For each channel the gain of differences at each brightness of a cell.
  let gains: [Float]

  /// - Parameters:
  ///   - sites: Of areas of the same size.
  ///   - channels: How many kinds of samples there are.
  ///   - brightness: The factor that makes a sample the brightness of a cell.
  init(_ sites: [Site], _ area: Area, channels: Int, brightness: Float) {
    let bins = sites.map { site in
      let mean = Float(site.probe.brightness) / Float(area.samples) * brightness
      return min(Self.bins - 1, Int(mean) / Self.binWidth)
    }
    let curves = (0..<channels).map { channel in
      var changes = [[Float]](repeating: [], count: Self.bins)
      for (site, bin) in zip(sites, bins) where site.channel == channel {
        changes[bin].append(site.deviation(area))
      }
      return Self.curve(changes)
    }
    gains = curves.flatMap { curve in
      (0..<256).map { Float(CPixels_noiseUnit) / Self.interpolate(curve, $0) }
    }
    let expected = zip(sites, bins).map { curves[$0.channel][$1] }

    let samples = Float(area.samples)
    let ratios = zip(sites, expected).map { site, expected in
      (
        magnitude: Float(site.probe.magnitude) / (samples * Self.meanSize * expected),
        sum: abs(Float(site.probe.sum)) / (samples.squareRoot() * expected)
      )
    }
    let still = ratios.filter { $0.magnitude <= Self.largestRatio }
    let magnitude = min(Self.largestRatio, max(0.9, still.map(\.magnitude).quantile(0.5)))
    // Noise that is alike in neighbouring samples changes sums more.
    let likeness = min(3, max(1, still.map(\.sum).quantile(0.5) / Self.medianSize))
    limits = CPixels_MergeLimits(magnitude: magnitude, likeness: likeness)
    let explained = still.count { $0.sum <= 4 * likeness }
    staticShare = sites.isEmpty ? 0 : Float(explained) / Float(sites.count)
    let usual = zip(sites, expected).lazy.filter { $0.0.channel == 0 }.map(\.1).quantile(0.5)
    deviation = magnitude * max(Self.least, usual)
  }

  /// The deviation at each brightness. One with few areas is like its nearest one.
  /// - Parameter deviations: Those of the areas of each brightness.
  private static func curve(_ deviations: [[Float]]) -> [Float] {
    let usual = max(least, correction * deviations.joined().quantile(quantile))
    let known = deviations.map { deviations -> Float? in
      // A saturated area shows no noise.
      let noisy = deviations.filter { $0 > 0 }
      guard noisy.count >= leastCount else { return nil }
      return max(least, min(4 * usual, max(usual / 4, correction * noisy.quantile(quantile))))
    }
    return known.indices.map { bin in
      let nearest = known.indices.filter { known[$0] != nil }.min { abs($0 - bin) < abs($1 - bin) }
      return nearest.flatMap { known[$0] } ?? usual
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
    let mean = length * length * unit * NoiseModel.meanSize * magnitude
    let spread = length * unit * NoiseModel.sizeDeviation * likeness
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
