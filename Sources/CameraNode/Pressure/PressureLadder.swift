import OperatingSystem

/// The level of pressure on which the node acts. It rises at once to what is measured, and falls
/// one level at a time, each after less has been measured for a while. So what a level takes away
/// comes back in the opposite order, and not on and off: a level that is measured again soon after
/// it fell is held for twice as long the next time. Pure.
struct PressureLadder: Sendable {
  /// The longest hold, as a multiple of the first one.
  private static let growth = 10

  private(set) var level = PressureLevel.nominal
  /// Since when less was measured.
  private var relief: MonotonicTime?
  private var fall: MonotonicTime?
  private let firstHold: Duration
  private var hold: Duration

  /// - Parameter hold: How long less must be measured for a level to end.
  init(hold: Duration) {
    firstHold = hold
    self.hold = hold
  }

  /// - Returns: Whether the level has changed.
  mutating func take(_ measured: PressureLevel, at now: MonotonicTime) -> Bool {
    guard measured < level else {
      relief = nil
      guard measured > level else { return false }
      let isBack = fall.map { now - $0 < hold } ?? false
      hold = isBack ? min(hold * 2, firstHold * Self.growth) : firstHold
      level = measured
      return true
    }
    guard let relief, let below = PressureLevel(rawValue: level.rawValue - 1) else {
      relief = now
      return false
    }
    guard now - relief >= hold else { return false }
    level = below
    fall = now
    self.relief = level > measured ? now : nil
    return true
  }
}
