import CameraProtocol

/// The events of one start of the node, on all topics, and the snapshot between them. Pure.
struct EventChapter<Event, Snapshot> {
  typealias Tracker = EventTracker<Event, Snapshot>

  /// What waits until all that it includes was told.
  private struct PendingSnapshot {
    var snapshot: Snapshot
    var includes: [String: UInt64]
  }

  let epoch: Epoch
  /// Whether it is known where the reader begins: from the first snapshot on.
  private(set) var isJoined: Bool
  private var trails: [String: EventTrail<Event>] = [:]
  private var pendingSnapshot: PendingSnapshot?
  /// What a replay under way was asked for.
  private var asked: [String: RangeSet<UInt64>]?

  /// - Parameter isToldWhole: Whether the reader is told all of it, from the first event on.
  init(_ epoch: Epoch, isToldWhole: Bool) {
    self.epoch = epoch
    isJoined = isToldWhole
  }

  /// How many events wait to be told.
  var keptCount: Int { trails.values.reduce(0) { $0 + $1.keptCount } }

  // MARK: What comes

  mutating func keep(_ arrival: Tracker.Arrival) {
    trails[arrival.topic, default: .init()]
      .keep(arrival.event, arrival.sequence, sent: arrival.sent)
  }

  /// Takes note of how many events the topics have.
  mutating func extend(to topics: [String: UInt64]) {
    for (topic, number) in topics { trails[topic, default: .init()].extend(to: number) }
  }

  /// The reader begins here: with what comes behind these numbers or, with a history, with what is
  /// kept up to them too.
  mutating func join(behind topics: [String: UInt64], hasHistory: Bool) {
    isJoined = true
    for (topic, number) in topics {
      if hasHistory {
        trails[topic]?.forgive(upTo: number)
      } else {
        trails[topic]?.begin(after: number)
      }
    }
  }

  /// Tells the snapshot when all that it includes was told. It takes the place of one that still
  /// waits.
  mutating func tell(_ snapshot: Snapshot, including topics: [String: UInt64]) {
    let topics = topics.mapValues { min($0, EventTrail<Event>.largest) }
    extend(to: topics)
    pendingSnapshot = PendingSnapshot(snapshot: snapshot, includes: topics)
  }

  // MARK: Replays

  /// What to ask for, if something is missing and no question is open.
  mutating func ask(atMost limit: Int) -> [EventRange]? {
    guard isJoined, asked == nil, trails.values.contains(where: { !$0.missing.isEmpty }) else {
      return nil
    }
    let missing = trails.sorted { $0.key < $1.key }.flatMap { topic, trail in
      trail.missing.ranges.map { EventRange(topic: topic, numbers: $0) }
    }
    let ranges = missing.prefix(limit)
    asked = ranges.reduce(into: [:]) { asked, range in
      asked[range.topic, default: .init()].insert(contentsOf: range.numbers)
    }
    return Array(ranges)
  }

  /// Takes the answer.
  /// - Returns: Whether the reader misses something now.
  mutating func replayed(_ arrivals: [Tracker.Arrival], hasMore: Bool) -> Bool {
    guard let asked else { return false }
    let wanted = arrivals.filter { asked[$0.topic]?.contains($0.sequence) == true }
    for arrival in wanted { keep(arrival) }
    // A node that promises more and gives nothing would be asked for ever.
    if !hasMore || wanted.isEmpty { return giveUpAsked() }
    withdraw()
    return false
  }

  /// The question may be asked again.
  mutating func withdraw() {
    asked = nil
  }

  /// What was asked for is lost for good.
  /// - Returns: Whether the reader misses any of it.
  mutating func giveUpAsked() -> Bool {
    let lost = asked ?? [:]
    asked = nil
    return lost.map { trails[$0.key]?.giveUp($0.value) ?? false }.contains(true)
  }

  /// Nothing more can be had of this start.
  /// - Returns: What there still is for the reader.
  mutating func end() -> [Tracker.Output] {
    for (topic, trail) in trails { trails[topic]?.giveUp(trail.missing) }
    var rest: [Tracker.Output] = []
    while let output = next() { rest.append(output) }
    return rest
  }

  // MARK: What the reader is told

  /// What comes next for the reader, if there is something.
  mutating func next() -> Tracker.Output? {
    guard isJoined else { return nil }
    while let (topic, head) = firstHead {
      switch head {
      case .event: if let event = trails[topic]?.tellEvent() { return .event(event) }
      case .lost:
        let count = trails[topic]?.tellLost() ?? 0
        if count > 0 { return .gap(count, topic: topic) }
      }
    }
    guard let pending = pendingSnapshot,
      pending.includes.allSatisfy({ trails[$0.key]?.told ?? 0 >= $0.value })
    else { return nil }
    pendingSnapshot = nil
    return .snapshot(pending.snapshot)
  }

  /// The topic whose next event was sent first; what is lost comes before all.
  private var firstHead: (topic: String, head: EventTrail<Event>.Head)? {
    var first: (topic: String, head: EventTrail<Event>.Head, sent: Int64)?
    for (topic, trail) in trails {
      if let pendingSnapshot, trail.told >= pendingSnapshot.includes[topic] ?? 0 { continue }
      guard let head = trail.head else { continue }
      guard case .event(let sent) = head else { return (topic, head) }
      if let first, (first.sent, first.topic) < (sent, topic) { continue }
      first = (topic, head, sent)
    }
    return first.map { ($0.topic, $0.head) }
  }
}
