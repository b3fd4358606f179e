import OperatingSystem

/// The level of pressure on which the node acts. It rises at once to what is measured, and falls
/// one level at a time, each after less has been measured for a while. So what a level takes away
/// comes back in the opposite order, and not on and off. Pure.
struct PressureLadder: Sendable {
  private(set) var level = PressureLevel.nominal
  /// Since when less was measured.
  private var relief: MonotonicTime?
  private let hold: Duration

  /// - Parameter hold: how long less must be measured for a level to end.
  init(hold: Duration) {
    self.hold = hold
  }

  /// - Returns: whether the level has changed.
  mutating func take(_ measured: PressureLevel, at now: MonotonicTime) -> Bool {
    guard measured < level else {
      relief = nil
      defer { level = measured }
      return measured > level
    }
    guard let relief, let below = PressureLevel(rawValue: level.rawValue - 1) else {
      relief = now
      return false
    }
    guard now - relief >= hold else { return false }
    level = below
    self.relief = level > measured ? now : nil
    return true
  }
}
