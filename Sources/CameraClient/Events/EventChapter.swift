import CameraProtocol

/// The events of one start of the node, on all topics, and the snapshot among them. Pure.
struct EventChapter<Event, Snapshot> {
  typealias Tracker = EventTracker<Event, Snapshot>

  /// A snapshot that waits until the reader has every event that it includes.
  private struct PendingSnapshot {
    var snapshot: Snapshot
    var includes: [String: UInt64]
  }

  /// The most topics that are followed: many more than a node has. A node that names ever new ones
  /// would fill the memory.
  private static var topicLimit: Int { 4096 }

  let epoch: Epoch
  /// Whether the reader's first event is known. The first snapshot decides that.
  private(set) var isJoined: Bool
  private var trails: [String: EventTrail<Event>] = [:]
  private var pendingSnapshot: PendingSnapshot?
  /// The events that the replay under way was asked for.
  private var asked: [String: RangeSet<UInt64>]?

  /// - Parameter beginsWithFirstEvent: Whether the reader gets everything from the first event on.
  init(_ epoch: Epoch, beginsWithFirstEvent: Bool) {
    self.epoch = epoch
    isJoined = beginsWithFirstEvent
  }

  /// How many events wait for the reader.
  var keptCount: Int { trails.values.reduce(0) { $0 + $1.keptCount } }
  /// The bytes that were received for them.
  var keptByteCount: Int { trails.values.reduce(0) { $0 + $1.keptByteCount } }

  // MARK: What comes

  mutating func keep(_ arrival: Tracker.Arrival) {
    guard follows(arrival.topic) else { return }
    trails[arrival.topic, default: .init()]
      .keep(
        arrival.event, arrival.sequence, sent: arrival.sent, byteCount: arrival.byteCount)
  }

  /// Notes how many events the topics have.
  mutating func extend(to topics: [String: UInt64]) {
    for (topic, number) in topics where follows(topic) {
      trails[topic, default: .init()].extend(to: number)
    }
  }

  private func follows(_ topic: String) -> Bool {
    trails.count < Self.topicLimit || trails[topic] != nil
  }

  /// The reader begins behind these numbers or, with a history, with the events before them that
  /// the node keeps.
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

  /// Keeps the snapshot until the reader has every event that it includes. It replaces one that
  /// still waits.
  mutating func keep(_ snapshot: Snapshot, including topics: [String: UInt64]) {
    let topics = topics.mapValues { min($0, EventTrail<Event>.largest) }
    extend(to: topics)
    // The reader never gets those of other topics.
    let followed = topics.filter { trails[$0.key] != nil }
    pendingSnapshot = PendingSnapshot(snapshot: snapshot, includes: followed)
  }

  // MARK: Replays

  /// The events to ask for, if some are missing and no question is open.
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

  /// Takes the answer to a replay.
  /// - Returns: Whether events are lost that the reader should have had.
  mutating func replayed(_ arrivals: [Tracker.Arrival], hasMore: Bool) -> Bool {
    guard let asked else { return false }
    let wanted = arrivals.filter { asked[$0.topic]?.contains($0.sequence) == true }
    let byteCount = wanted.reduce(keptByteCount) { $0 + $1.byteCount }
    // A node that sends the last ones again and again, and never the next one, would fill the
    // memory. An honest answer has half a megabyte.
    guard byteCount <= Tracker.keptByteLimit + 1 << 20 else { return giveUpAsked() }
    for arrival in wanted { keep(arrival) }
    // Without this, a node that promises more and sends nothing would be asked forever.
    if !hasMore || wanted.isEmpty { return giveUpAsked() }
    withdraw()
    return false
  }

  /// Takes the question back, so that it may be asked again.
  mutating func withdraw() {
    asked = nil
  }

  /// Gives the events that were asked for up as lost.
  /// - Returns: Whether the reader should have had any of them.
  mutating func giveUpAsked() -> Bool {
    let lost = asked ?? [:]
    asked = nil
    return lost.map { trails[$0.key]?.giveUp($0.value) ?? false }.contains(true)
  }

  /// Ends this start of the node: events that are missing are lost.
  /// - Returns: The rest of its events and gaps, for the reader.
  mutating func end() -> [Tracker.Output] {
    for (topic, trail) in trails { trails[topic]?.giveUp(trail.missing) }
    var rest: [Tracker.Output] = []
    while let output = next() { rest.append(output) }
    return rest
  }

  // MARK: The reader's side

  /// The next event, gap or snapshot for the reader, if there is one.
  mutating func next() -> Tracker.Output? {
    guard isJoined else { return nil }
    while let (topic, head) = firstHead {
      switch head {
      case .event: if let event = trails[topic]?.takeEvent() { return .event(event) }
      case .lost:
        let count = trails[topic]?.takeLost() ?? 0
        if count > 0 { return .gap(count, topic: topic) }
      }
    }
    guard let pending = pendingSnapshot,
      pending.includes.allSatisfy({ trails[$0.key]?.position ?? 0 >= $0.value })
    else { return nil }
    pendingSnapshot = nil
    return .snapshot(pending.snapshot)
  }

  /// The topic whose next event was sent first. A gap comes before all events.
  private var firstHead: (topic: String, head: EventTrail<Event>.Head)? {
    var first: (topic: String, head: EventTrail<Event>.Head, sent: Int64)?
    for (topic, trail) in trails {
      if let pendingSnapshot, trail.position >= pendingSnapshot.includes[topic] ?? 0 { continue }
      guard let head = trail.head else { continue }
      guard case .event(let sent) = head else { return (topic, head) }
      if let first, (first.sent, first.topic) < (sent, topic) { continue }
      first = (topic, head, sent)
    }
    return first.map { ($0.topic, $0.head) }
  }
}
