/// One line of the table: a number of this project's, the floor's, and what they are to each other.
struct Row: Codable {
  enum Target: Codable, Hashable {
    /// Ours at most, or at least, this many times the floor's.
    case ratioAtMost(Double), ratioAtLeast(Double)
    /// Ours at most this, at least this, whatever the floor.
    case atMost(Double), atLeast(Double)
  }

  var benchmark: String
  var name: String
  var unit: String
  var ours: Double
  var floor: Double?
  /// The median of the rounds' own ratios, each of two measurements made one after the other.
  var ratio: Double?
  var target: Target?
  /// Not a p99, which one hiccup of the machine decides.
  var isSteady = true

  /// How far it is from its target: at most 1 when it is met; nil without one.
  var excess: Double? {
    switch target {
    case .ratioAtMost(let limit): ratio.map { $0 / limit }
    case .ratioAtLeast(let limit): ratio.map { limit / $0 }
    case .atMost(let limit): ours <= limit ? 1 : 2
    case .atLeast(let limit): ours >= limit ? 1 : 2
    case nil: nil
    }
  }

  /// Beyond what a loaded machine explains. Times are never gross, for machines differ, nor are the slowest cases.
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
