package import CameraProtocol
import DequeModule

/// Joins a node's snapshots, publications and replays, so that the reader gets every event once, in
/// the order of its topic, and learns how many events are lost. Pure.
///
/// The rule for late joiners: subscribe, take a snapshot and drop the events that it includes.
/// Where numbers are missing, hold back the events behind them and ask the node for the missing
/// ones. (ZeroMQ guide, chapter 5: Clone.)
///
/// Snapshots never go back: a snapshot comes after every event that it includes, and before every
/// other event. Snapshots also decide which start of the node is the present one, because
/// publications of another start may come late or early.
///
/// Its owner passes in what comes from the node. Then it hands the reader what ``next()`` returns,
/// for as long as the reader has room, and sends the requests that ``nextRequest()`` returns.
package struct EventTracker<Event, Snapshot> {
  /// The most events that are held back. Events beyond that count as missing, and are asked for
  /// when there is room.
  package static var keptLimit: Int { 1024 }
  /// The most bytes of them. Honest events have a few hundred bytes each.
  package static var keptByteLimit: Int { 16 << 20 }
  /// The most earlier starts of the node that are remembered.
  private static var pastLimit: Int { 8 }

  private let scope: EventScope
  private let hasHistory: Bool
  /// Whether the reader knows the events up to a position, and goes on there.
  private let hasPosition: Bool

  /// The present start of the node.
  private var chapter: EventChapter<Event, Snapshot>?
  private var pastEpochs: Deque<Epoch> = []
  /// Events of a start that may be the next one.
  private var strangers: (epoch: Epoch, arrivals: [Arrival])?
  /// The unknown epoch that the snapshot under way should identify.
  private var askedOf: Epoch?

  private var wantsSnapshot = false
  private var isSnapshotAsked = false
  /// Whether the node has too much to do. It gets no request until its next heartbeat.
  private var isPaused = false

  /// Whether the reader got anything yet.
  private var hasBegun = false
  /// The rest of the events of starts that are over, for the reader.
  private var farewells: Deque<Output> = []
  private var isConnected = true
  private var isReportedConnected = true
  /// Why the node is not heard, until the reader knows it.
  private var reason: Problem?

  /// - Parameters:
  ///   - scope: The topics that the reader follows.
  ///   - hasHistory: Whether the reader first gets what happened before it came, as far as the node
  ///     keeps it.
  ///   - position: Where the reader goes on, instead of a history.
  package init(
    _ scope: EventScope = EventScope(), hasHistory: Bool = false,
    after position: EventPosition? = nil
  ) {
    self.scope = scope
    self.hasHistory = hasHistory
    hasPosition = position != nil
    guard let position, let epoch = Epoch(bytes: position.epoch.bytes) else { return }
    var chapter = EventChapter<Event, Snapshot>(epoch, beginsWithFirstEvent: true)
    let numbers = position.numbers.filter { scope.contains($0.key) }
    chapter.extend(to: numbers)
    chapter.join(behind: numbers, hasHistory: false)
    self.chapter = chapter
  }

  /// Whether the reader knows of an earlier start or event.
  private var goesOn: Bool { hasBegun || hasPosition }

  // MARK: From the node

  /// The subscription reaches the node. Events that were published before may be missing.
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
    // During a silence the events behind this snapshot would be missing.
    guard isConnected else { return }
    wantsSnapshot = false
    settle(epoch)
    let (topics, hasHistory) = (own(topics), hasHistory)
    chapter?.keep(snapshot, including: topics)
    if !goesOn { chapter?.join(behind: topics, hasHistory: hasHistory) }
  }

  /// The node's answer to a replay.
  /// - Parameter hasMore: Whether the node has more of these events. If not, those that did not
  ///   come are lost.
  package mutating func replayed(_ arrivals: [Arrival], hasMore: Bool, of epoch: Epoch) {
    if epoch == chapter?.epoch {
      // A snapshot gives the reader the state behind the gap.
      if chapter?.replayed(arrivals, hasMore: hasMore) == true { wantsSnapshot = true }
    } else {
      chapter?.withdraw()
      wantsSnapshot = true
    }
  }

  // MARK: Failures

  /// - Returns: False when this was the first snapshot, without which there is nothing to follow.
  package mutating func snapshotFailed(_ error: CameraBusError) -> Bool {
    isSnapshotAsked = false
    guard hasBegun else { return false }
    if error.isNodeSilent || !error.isRetryable {
      fallSilent(error.isNodeSilent ? nil : Problem(error))
    } else {
      isPaused = true
      wantsSnapshot = true
    }
    return true
  }

  package mutating func replayFailed(_ error: CameraBusError) {
    if !error.isNodeSilent, !error.isRetryable {
      // The node does not know replays, or refuses this one.
      if chapter?.giveUpAsked() == true { wantsSnapshot = true }
      return
    }
    chapter?.withdraw()
    isPaused = true
    if error.isNodeSilent { fallSilent(nil) }
  }

  /// Nothing comes from the node any more.
  /// - Parameter reason: Why, if that is known.
  package mutating func fallSilent(_ reason: Problem?) {
    isConnected = !hasBegun
    self.reason = isConnected ? nil : reason
  }

  // MARK: To the reader and to the node

  /// The next element for the reader; nil when there is none at present.
  package mutating func next() -> Output? {
    if isConnected, !isReportedConnected {
      isReportedConnected = true
      return .reconnected
    }
    if let farewell = farewells.popFirst() { return farewell }
    // A snapshot under way may include events that wait here.
    if !wantsSnapshot, !isSnapshotAsked, let output = chapter?.next() {
      hasBegun = true
      return output
    }
    if !isConnected, isReportedConnected || reason != nil {
      isReportedConnected = false
      defer { reason = nil }
      return .disconnected(reason)
    }
    return nil
  }

  /// The next request to the node, if any. Call it when ``next()`` has nothing.
  package mutating func nextRequest() -> Request? {
    // The answer under way shows which events are missing, and of which start.
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
    if farewells.count + (chapter?.keptCount ?? 0) < Self.keptLimit,
      (chapter?.keptByteCount ?? 0) + arrival.byteCount <= Self.keptByteLimit
    {
      chapter?.keep(arrival)
    } else {
      chapter?.extend(to: [arrival.topic: arrival.sequence])
    }
  }

  private mutating func hear() {
    if !isConnected { wantsSnapshot = true }
    isConnected = true
    reason = nil
  }

  // MARK: Starts of the node

  /// Whether this start of the node is the present one.
  private mutating func isPresent(_ epoch: Epoch) -> Bool {
    // Before the first snapshot, the start that published last counts as the present one.
    if chapter?.isJoined != true, epoch != chapter?.epoch { begin(epoch) }
    return epoch == chapter?.epoch
  }

  /// Notes a publication of another start. The next snapshot decides whether that start is over or
  /// has begun.
  private mutating func meet(_ epoch: Epoch, _ arrival: Arrival?) {
    guard !pastEpochs.contains(epoch) else { return }
    if strangers?.epoch != epoch {
      strangers = (epoch, [])
      wantsSnapshot = true
    }
    guard let arrival, let kept = strangers?.arrivals, kept.count < Self.keptLimit,
      kept.reduce(arrival.byteCount, { $0 + $1.byteCount }) <= Self.keptByteLimit
    else { return }
    strangers?.arrivals.append(arrival)
  }

  /// Makes this start the present one, because a snapshot came from it.
  private mutating func settle(_ epoch: Epoch) {
    let (before, strangers) = (chapter, strangers)
    if epoch != before?.epoch {
      if goesOn { leave() }
      begin(epoch)
    }
    if let before, epoch != before.epoch {
      // A start that is only known by its publications may be the next one.
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
    // A reader of the start before has missed everything that this one published.
    chapter = EventChapter(epoch, beginsWithFirstEvent: goesOn)
    strangers = nil
    pastEpochs.removeAll { $0 == epoch }
  }

  private mutating func forget(_ epoch: Epoch) {
    if strangers?.epoch == epoch { strangers = nil }
    pastEpochs.append(epoch)
    if pastEpochs.count > Self.pastLimit { pastEpochs.removeFirst() }
  }

  /// Ends the present start: the reader gets the rest of its events, and then the restart.
  private mutating func leave() {
    // A reader that sleeps through many restarts gets only some of them, so that the list stays
    // bounded.
    guard farewells.count < Self.keptLimit else { return }
    for output in chapter?.end() ?? [] { farewells.append(output) }
    farewells.append(.nodeRestarted)
  }
}

extension CameraBusError {
  /// Whether the request failed because nothing came from the node.
  fileprivate var isNodeSilent: Bool { code == .unreachable || code == .timedOut }
}
