/// The latest durations, for their percentiles.
struct Percentiles {
  private static let limit = 10_000

  private var values: [Duration] = []
  private var next = 0

  mutating func add(_ value: Duration) {
    if values.count < Self.limit { values.append(value) } else { values[next] = value }
    next = (next + 1) % Self.limit
  }

  /// The smallest value that this part of all values does not exceed (nearest rank); nil without
  /// values.
  func value(at part: Double) -> Duration? {
    guard !values.isEmpty else { return nil }
    let rank = (part * Double(values.count)).rounded(.up)
    return values.sorted()[max(0, Int(rank) - 1)]
  }
}
