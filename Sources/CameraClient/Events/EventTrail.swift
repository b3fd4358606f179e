/// The events of one topic in one epoch: told, at hand, missing, or lost for good. Pure.
///
/// Their numbers follow one another from 1, so what is not at hand and not lost is missing.
struct EventTrail<Event> {
  private struct Kept {
    var event: Event
    var sent: Int64
  }

  /// The largest number, for the end of a range is one more.
  static var largest: UInt64 { .max - 1 }

  /// What comes next for the reader.
  enum Head {
    /// An event, and when the node sent it.
    case event(sent: Int64)
    case lost
  }

  /// The last number that the reader knows of, or that it is not to be told.
  private(set) var told: UInt64 = 0
  /// The numbers that exist and did not come yet.
  private(set) var missing = RangeSet<UInt64>()
  private var last: UInt64 = 0
  private var lost = RangeSet<UInt64>()
  private var kept: [UInt64: Kept] = [:]
  /// What is lost up to here, before the first event that the reader is told, is no loss to it.
  private var unmissed: UInt64 = 0

  /// How many events wait to be told.
  var keptCount: Int { kept.count }

  /// Takes note that the topic has this many events.
  mutating func extend(to number: UInt64) {
    let number = min(number, Self.largest)
    guard number > last else { return }
    missing.insert(contentsOf: last + 1..<number + 1)
    last = number
  }

  /// Keeps an event until it is its turn; what was had before is passed over.
  mutating func keep(_ event: Event, _ number: UInt64, sent: Int64) {
    extend(to: number)
    guard missing.contains(number) else { return }
    missing.remove(contentsOf: number..<number + 1)
    kept[number] = Kept(event: event, sent: sent)
  }

  /// The reader begins behind this number.
  mutating func begin(after number: UInt64) {
    extend(to: number)
    told = min(number, Self.largest)
    missing.remove(contentsOf: 0..<told + 1)
    kept = kept.filter { $0.key > told }
  }

  /// The reader takes what there still is up to this number, and does not miss what was before.
  mutating func forgive(upTo number: UInt64) {
    unmissed = min(number, last)
  }

  /// What is missing of these numbers will not come any more.
  /// - Returns: Whether the reader misses any of it.
  @discardableResult
  mutating func giveUp(_ numbers: RangeSet<UInt64>) -> Bool {
    let gone = missing.intersection(numbers)
    missing.subtract(gone)
    lost.formUnion(gone)
    let firstMissed = min(unmissed, kept.keys.min() ?? unmissed) + 1
    return gone.ranges.last.map { $0.upperBound > firstMissed } ?? false
  }

  var head: Head? {
    if let next = kept[told + 1] { return .event(sent: next.sent) }
    return lost.contains(told + 1) ? .lost : nil
  }

  /// Takes the event that is the head.
  mutating func tellEvent() -> Event? {
    guard let next = kept.removeValue(forKey: told + 1) else { return nil }
    told += 1
    unmissed = 0
    return next.event
  }

  /// Passes over the lost events at the head.
  /// - Returns: How many of them the reader misses.
  mutating func tellLost() -> UInt64 {
    guard let range = lost.ranges.first(where: { $0.contains(told + 1) }) else { return 0 }
    let first = max(told, unmissed)
    told = range.upperBound - 1
    lost.remove(contentsOf: range)
    return told > first ? told - first : 0
  }
}
