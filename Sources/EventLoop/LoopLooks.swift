/// Counts in how many looks in a row a loop was at the same place. Pure.
struct LoopLooks {
  /// How many looks make a loop stuck.
  static let limit = 6

  private var seen: [(moment: UInt64?, count: Int)] = []

  /// - Parameter moments: Where each loop is; nil for a loop that was stopped. Always the same
  ///   loops.
  /// - Returns: The place of a loop that is stuck.
  mutating func stuck(_ moments: [UInt64?]) -> Int? {
    if seen.isEmpty { seen = moments.map { _ in (nil, 0) } }
    for (place, moment) in moments.enumerated() {
      let isSame = moment != nil && moment == seen[place].moment
      seen[place] = (moment, isSame ? seen[place].count + 1 : 1)
    }
    return seen.firstIndex { $0.moment != nil && $0.count >= Self.limit }
  }
}
