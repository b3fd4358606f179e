/// One line of the table: our number, the floor's number, and their ratio.
struct Row: Codable {
  enum Target: Codable, Hashable {
    /// Our number must be at most, or at least, this many times the floor's.
    case ratioAtMost(Double), ratioAtLeast(Double)
    /// Our number must be at most, or at least, this value, regardless of the floor.
    case atMost(Double), atLeast(Double)
  }

  var benchmark: String
  var name: String
  var unit: String
  var ours: Double
  var floor: Double?
  /// The median of the rounds' ratios. Each ratio compares two measurements made one after the
  /// other.
  var ratio: Double?
  var target: Target?
  /// False for a p99, because a single disturbance of the machine decides it.
  var isSteady = true

  /// The distance from the target: at most 1 if it is met, nil if there is no target.
  var excess: Double? {
    switch target {
    case .ratioAtMost(let limit): ratio.map { $0 / limit }
    case .ratioAtLeast(let limit): ratio.map { limit / $0 }
    case .atMost(let limit): ours <= limit ? 1 : 2
    case .atLeast(let limit): ours >= limit ? 1 : 2
    case nil: nil
    }
  }

  /// Whether the row misses its target by more than a loaded machine explains. Absolute values are
  /// never gross, because machines differ; neither are p99 values.
  var isGross: Bool {
    switch target {
    case .ratioAtMost, .ratioAtLeast: isSteady && (excess ?? 0) > 4
    case .atMost, .atLeast, nil: false
    }
  }
}

extension [Double] {
  var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    return count.isMultiple(of: 2)
      ? (sorted[count / 2 - 1] + sorted[count / 2]) / 2 : sorted[count / 2]
  }
}
