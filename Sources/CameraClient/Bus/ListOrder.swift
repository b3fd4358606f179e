/// Checks that the assets of a list get older, so that a list of a faulty node comes to an end.
/// Pure.
struct ListOrder {
  /// How many assets may have the same time. It is given in nanoseconds, so few have.
  private static let atOneTime = 10_000

  private var time = Int64.max
  /// The assets of that time.
  private var ids: Set<Identifier> = []

  /// Takes the assets of the next page.
  /// - Returns: Whether they may follow those before.
  mutating func allows(_ assets: [Asset]) -> Bool {
    assets.allSatisfy { asset in
      let nanoseconds = asset.createdWallNanoseconds
      guard nanoseconds <= time else { return false }
      if nanoseconds < time {
        time = nanoseconds
        ids.removeAll()
      }
      return ids.insert(asset.id).inserted && ids.count <= Self.atOneTime
    }
  }
}
