package import CameraProtocol
import DequeModule

/// What a monitor hears of a node: joins snapshots, publications and replays so that the reader is
/// told every event once, in the order of its topic, and how many there were that cannot be had any
/// more. Pure.
///
/// The rule for late joiners: subscribe, take a snapshot, drop what it includes; where numbers are
/// missing, hold back what comes behind them and ask the node for them. (ZeroMQ guide, chapter 5:
/// Clone.)
///
/// Snapshots never go back: one is told when all that it includes was told, and before anything
/// that it does not include. They also decide which start of the node is the present one, for what
/// was published by another may come late or early.
///
/// Whoever drives it tells it what comes, then takes what ``next()`` has for the reader, for as
/// long as the reader has room, and, when there is nothing left, does what ``nextRequest()`` says.
package struct EventTracker<Event, Snapshot> {
  /// How many events are held back at most; what comes beyond is left missing, and asked for again
  /// when there is room.
  package static var keptLimit: Int { 1024 }
  /// How many starts of the node that are not the present one are remembered.
  private static var pastLimit: Int { 8 }

  private let scope: EventScope
  private let hasHistory: Bool

  /// The present start of the node.
  private var chapter: EventChapter<Event, Snapshot>?
  private var pastEpochs: Deque<Epoch> = []
  /// What came of a start that may be the next one.
  private var strangers: (epoch: Epoch, arrivals: [Arrival])?
  /// Whom the snapshot under way was asked for to know.
  private var askedOf: Epoch?

  private var wantsSnapshot = false
  private var isSnapshotAsked = false
  /// The node has too much to do: no requests until its next heartbeat.
  private var isPaused = false

  /// Whether the reader was told anything.
  private var hasBegun = false
  /// What the reader is to be told of starts of the node that are over.
  private var farewells: Deque<Output> = []
  private var isConnected = true
  private var isToldConnected = true

  /// - Parameters:
  ///   - scope: The topics that the reader follows.
  ///   - hasHistory: Whether the reader first gets what happened before it came, as far as the node
  ///     keeps it.
  package init(_ scope: EventScope = EventScope(), hasHistory: Bool = false) {
    self.scope = scope
    self.hasHistory = hasHistory
  }

  // MARK: What comes

  /// The subscription reaches the node; what was published before may be missing.
  package mutating func connected() {
    hear()
    isPaused = false
    wantsSnapshot = true
  }

  package mutating func published(_ arrival: Arrival, of epoch: Epoch) {
    hear()
    guard scope.contains(arrival.topic) else { return }
    if isPresent(epoch) { take(arrival) } else { meet(epoch, arrival) }
  }

  package mutating func heartbeat(_ topics: [String: UInt64], of epoch: Epoch) {
    hear()
    isPaused = false
    let topics = own(topics)
    if isPresent(epoch) { chapter?.extend(to: topics) } else { meet(epoch, nil) }
  }

  package mutating func snapshot(
    _ snapshot: Snapshot,
    including topics: [String: UInt64],
    of epoch: Epoch
  ) {
    isSnapshotAsked = false
    // In a silence, events would not go on from it.
    guard isConnected else { return }
    wantsSnapshot = false
    settle(epoch)
    let (topics, hasHistory) = (own(topics), hasHistory)
    chapter?.tell(snapshot, including: topics)
    if !hasBegun { chapter?.join(behind: topics, hasHistory: hasHistory) }
  }

  /// The node's answer to a replay.
  /// - Parameter hasMore: Whether it has more of what was asked for; otherwise what did not come is
  ///   lost.
  package mutating func replayed(_ arrivals: [Arrival], hasMore: Bool, of epoch: Epoch) {
    if epoch == chapter?.epoch {
      // The state after a gap, for all that is known of it.
      if chapter?.replayed(arrivals, hasMore: hasMore) == true { wantsSnapshot = true }
    } else {
      chapter?.withdraw()
      wantsSnapshot = true
    }
  }

  // MARK: What fails

  /// - Returns: False when there was no first snapshot, and so is nothing to follow.
  package mutating func snapshotFailed(_ error: CameraBusError) -> Bool {
    isSnapshotAsked = false
    guard hasBegun else { return false }
    if error.isNodeSilent || !error.isRetryable {
      fallSilent()
    } else {
      isPaused = true
      wantsSnapshot = true
    }
    return true
  }

  package mutating func replayFailed(_ error: CameraBusError) {
    if !error.isNodeSilent, !error.isRetryable {
      // A node that knows no replays, or none of these.
      if chapter?.giveUpAsked() == true { wantsSnapshot = true }
      return
    }
    chapter?.withdraw()
    isPaused = true
    if error.isNodeSilent { fallSilent() }
  }

  /// Nothing is heard of the node any more.
  package mutating func fallSilent() {
    isConnected = !hasBegun
  }

  // MARK: What follows from it

  /// What the reader is told next; nil when there is nothing at present.
  package mutating func next() -> Output? {
    if isConnected, !isToldConnected {
      isToldConnected = true
      return .reconnected
    }
    if let farewell = farewells.popFirst() { return farewell }
    // What a snapshot will include is not known before it is there.
    if !wantsSnapshot, !isSnapshotAsked, let output = chapter?.next() {
      hasBegun = true
      return output
    }
    if !isConnected, isToldConnected {
      isToldConnected = false
      return .disconnected
    }
    return nil
  }

  /// What the node is to be asked for now, if anything. To be called when ``next()`` has nothing.
  package mutating func nextRequest() -> Request? {
    // The answer under way tells what else is missing, and of which start.
    guard isConnected, !isPaused, !isSnapshotAsked else { return nil }
    if wantsSnapshot {
      wantsSnapshot = false
      isSnapshotAsked = true
      askedOf = strangers?.epoch
      return .snapshot
    }
    return chapter?.ask(atMost: WireLimits.replayRanges).map(Request.replay)
  }

  // MARK: Steps

  private func own(_ topics: [String: UInt64]) -> [String: UInt64] {
    topics.filter { scope.contains($0.key) }
  }

  private mutating func take(_ arrival: Arrival) {
    if farewells.count + (chapter?.keptCount ?? 0) < Self.keptLimit {
      chapter?.keep(arrival)
    } else {
      chapter?.extend(to: [arrival.topic: arrival.sequence])
    }
  }

  private mutating func hear() {
    if !isConnected { wantsSnapshot = true }
    isConnected = true
  }

  // MARK: Starts of the node

  /// Whether what comes of this start of the node is to be taken.
  private mutating func isPresent(_ epoch: Epoch) -> Bool {
    // Before the first snapshot, it is the last one that was heard of.
    if chapter?.isJoined != true, epoch != chapter?.epoch { begin(epoch) }
    return epoch == chapter?.epoch
  }

  /// Something came of another start: the next snapshot tells whether it is over or has begun.
  private mutating func meet(_ epoch: Epoch, _ arrival: Arrival?) {
    guard !pastEpochs.contains(epoch) else { return }
    if strangers?.epoch != epoch {
      strangers = (epoch, [])
      wantsSnapshot = true
    }
    if let arrival, let count = strangers?.arrivals.count, count < Self.keptLimit {
      strangers?.arrivals.append(arrival)
    }
  }

  /// A snapshot is of this start, which is the present one.
  private mutating func settle(_ epoch: Epoch) {
    let (before, strangers) = (chapter, strangers)
    if epoch != before?.epoch {
      if hasBegun { leave() }
      begin(epoch)
    }
    if let before, epoch != before.epoch {
      // One that only publications spoke of may be the next.
      if before.isJoined { forget(before.epoch) } else { meet(before.epoch, nil) }
    }
    guard let strangers else { return }
    if strangers.epoch == epoch {
      for arrival in strangers.arrivals { take(arrival) }
    } else if strangers.epoch == askedOf {
      forget(strangers.epoch)
    } else {
      self.strangers = strangers
      wantsSnapshot = true
    }
  }

  private mutating func begin(_ epoch: Epoch) {
    // Who followed the start before has missed all that this one published.
    chapter = EventChapter(epoch, isToldWhole: hasBegun)
    strangers = nil
    pastEpochs.removeAll { $0 == epoch }
  }

  private mutating func forget(_ epoch: Epoch) {
    if strangers?.epoch == epoch { strangers = nil }
    pastEpochs.append(epoch)
    if pastEpochs.count > Self.pastLimit { pastEpochs.removeFirst() }
  }

  /// The present start is over: the reader is told what there still is of it, and that it ended.
  private mutating func leave() {
    // A reader that sleeps through many restarts is told of one.
    guard farewells.count < Self.keptLimit else { return }
    for output in chapter?.end() ?? [] { farewells.append(output) }
    farewells.append(.nodeRestarted)
  }
}

extension CameraBusError {
  /// Whether the node did not say so, nor anything else.
  fileprivate var isNodeSilent: Bool { code == .unreachable || code == .timedOut }
}
