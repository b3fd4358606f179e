/// The events of one topic in one epoch: each was told to the reader, is kept, is missing or is
/// lost. Pure.
///
/// Numbers count from 1 without a gap, so an event that is neither kept nor lost is missing.
struct EventTrail<Event> {
  private struct Kept {
    var event: Event
    var sent: Int64
    var byteCount: Int
  }

  /// The largest number. The end of its range, one more, must still fit.
  static var largest: UInt64 { .max - 1 }

  /// The next element for the reader.
  enum Head {
    /// An event, and when the node sent it.
    case event(sent: Int64)
    case lost
  }

  /// The last number that the reader knows, or does not need.
  private(set) var position: UInt64 = 0
  /// The numbers that exist and have not come yet.
  private(set) var missing = RangeSet<UInt64>()
  private var last: UInt64 = 0
  private var lost = RangeSet<UInt64>()
  private var kept: [UInt64: Kept] = [:]
  /// Events that are lost up to this number, before the reader's first event, are not reported as a
  /// gap.
  private var unmissed: UInt64 = 0

  /// How many events wait for the reader.
  var keptCount: Int { kept.count }
  /// The bytes that were received for them.
  private(set) var keptByteCount = 0

  /// Notes that the topic has this many events.
  mutating func extend(to number: UInt64) {
    let number = min(number, Self.largest)
    guard number > last else { return }
    missing.insert(contentsOf: last + 1..<number + 1)
    last = number
  }

  /// Keeps an event until its turn. An event that came before is ignored.
  mutating func keep(_ event: Event, _ number: UInt64, sent: Int64, byteCount: Int = 0) {
    extend(to: number)
    guard missing.contains(number) else { return }
    missing.remove(contentsOf: number..<number + 1)
    kept[number] = Kept(event: event, sent: sent, byteCount: byteCount)
    keptByteCount += byteCount
  }

  /// The reader begins behind this number.
  mutating func begin(after number: UInt64) {
    extend(to: number)
    position = min(number, Self.largest)
    missing.remove(contentsOf: 0..<position + 1)
    kept = kept.filter { $0.key > position }
    keptByteCount = kept.values.reduce(0) { $0 + $1.byteCount }
  }

  /// The reader begins with the events up to this number that the node still keeps. Older ones are
  /// no gap.
  mutating func forgive(upTo number: UInt64) {
    unmissed = min(number, last)
  }

  /// Gives the missing events among these numbers up as lost.
  /// - Returns: Whether the reader should have had any of them.
  @discardableResult
  mutating func giveUp(_ numbers: RangeSet<UInt64>) -> Bool {
    let gone = missing.intersection(numbers)
    missing.subtract(gone)
    lost.formUnion(gone)
    let firstMissed = min(unmissed, kept.keys.min() ?? unmissed) + 1
    return gone.ranges.last.map { $0.upperBound > firstMissed } ?? false
  }

  var head: Head? {
    if let next = kept[position + 1] { return .event(sent: next.sent) }
    return lost.contains(position + 1) ? .lost : nil
  }

  /// Takes the event at the head.
  mutating func takeEvent() -> Event? {
    guard let next = kept.removeValue(forKey: position + 1) else { return nil }
    keptByteCount -= next.byteCount
    position += 1
    unmissed = 0
    return next.event
  }

  /// Skips the lost events at the head.
  /// - Returns: How many of them the reader should have had.
  mutating func takeLost() -> UInt64 {
    guard let range = lost.ranges.first(where: { $0.contains(position + 1) }) else { return 0 }
    let first = max(position, unmissed)
    position = range.upperBound - 1
    lost.remove(contentsOf: range)
    return position > first ? position - first : 0
  }
}
