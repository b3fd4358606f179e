/// Keeps one of so many frames, by their numbers, so that a lost frame does not shift the others.
/// Pure.
struct Thinning: Sendable {
  var divisor: UInt64 = 1
  private var last: UInt64?

  init() {}

  /// Whether the frame with this number is the first of its group.
  mutating func keeps(_ sequence: UInt64) -> Bool {
    guard divisor > 1 else { return true }
    let group = sequence / divisor
    defer { last = group }
    return group != last
  }
}
