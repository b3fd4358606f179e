/// The last numbers of topics that are not in the heartbeats any more, so that those that come back
/// go on where they ended: a monitor that was there throughout would take a jump for a loss. Pure.
struct ForgottenTopics {
  /// The most topics whose own numbers are kept.
  static let limit = 1024

  private var numbers: [String: UInt64] = [:]
  /// Their names, the oldest first.
  private var names: [String] = []
  /// The highest number of those that are not kept either. New topics begin behind it, so that no
  /// topic's numbers run backwards.
  private var floor: UInt64 = 0

  mutating func add(_ name: String, _ number: UInt64) {
    if numbers.updateValue(number, forKey: name) == nil { names.append(name) }
    guard names.count > Self.limit else { return }
    if let oldest = numbers.removeValue(forKey: names.removeFirst()) { floor = max(floor, oldest) }
  }

  /// The number behind which a topic begins, which is not forgotten any more.
  mutating func take(_ name: String) -> UInt64 {
    guard let number = numbers.removeValue(forKey: name) else { return floor }
    names.removeAll { $0 == name }
    return number
  }
}
