@testable import CameraClient
import CameraProtocol
import Testing

/// Events are numbers here and snapshots are texts.
struct EventTrackerTests {
  typealias Tracker = EventTracker<Int, String>

  /// An element for the reader, or a request to the node.
  enum Step: Hashable {
    case snapshot(String)
    case event(Int)
    case gap(UInt64)
    case nodeRestarted, reconnected
    case disconnected(CameraBusError.Code?)
    case askSnapshot
    case askEvents(ClosedRange<UInt64>, of: String = "event/cam/state/")
  }

  let epoch = Epoch.random()
  let topic = "event/cam/state/"
  private let other = "event/cam/capture/"
  var tracker = Tracker()

  @Test mutating func `A new reader gets a snapshot and the events that it does not include`() {
    #expect(connect() == [.askSnapshot])
    #expect(publish(4) == [])
    #expect(publish(5) == [])
    #expect(snapshot("s", at: 4) == [.snapshot("s"), .event(5)])
    #expect(publish(5) == [])
    #expect(publish(6) == [.event(6)])
  }

  @Test mutating func `A new reader with history gets the kept events, then the snapshot`() {
    tracker = Tracker(hasHistory: true)
    _ = connect()
    #expect(publish(5) == [])
    #expect(snapshot("s", at: 4) == [.askEvents(1...4)])
    // Events that the node had forgotten before the reader came are no gap.
    #expect(replay(3, 4) == [.event(3), .event(4), .snapshot("s"), .event(5)])
    #expect(publish(7) == [.askEvents(6...6)])
    #expect(replay() == [.askSnapshot])
    #expect(snapshot("t", at: 7) == [.gap(1), .event(7), .snapshot("t")])
  }

  @Test mutating func `A reader with a position goes on behind it, in the same start of the node`()
  {
    tracker = Tracker(after: position(topic, 3))
    #expect(connect() == [.askSnapshot])
    #expect(publish(7) == [])
    // What the position does not name was not read at all.
    tracker.snapshot("s", including: [topic: 5, other: 2], of: epoch)
    #expect(steps() == [.askEvents(1...2, of: other), .askEvents(4...6)])
    tracker.replayed(
      [
        .init(8, on: other, 2, sent: 2), .init(4, on: topic, 4, sent: 1),
        .init(5, on: topic, 5, sent: 3),
      ],
      hasMore: false, of: epoch)
    // One that the node does not keep any more is a gap.
    #expect(steps() == [.askSnapshot])
    tracker.snapshot("t", including: [topic: 7, other: 2], of: epoch)
    #expect(
      steps() == [.gap(1), .event(4), .event(8), .event(5), .gap(1), .event(7), .snapshot("t")])
  }

  @Test mutating func `A position of an earlier start is followed by all that the present one has`()
  {
    tracker = Tracker(after: position(topic, 3))
    let new = Epoch.random()
    _ = connect()
    #expect(
      snapshot("s", at: 2, of: new) == [.nodeRestarted, .askEvents(1...2)])
    #expect(replay(1, 2, of: new) == [.event(1), .event(2), .snapshot("s")])
  }

  @Test mutating func `Missing events are fetched, and the ones behind them follow in order`() {
    join(at: 1)
    #expect(publish(4) == [.askEvents(2...3)])
    #expect(publish(5) == [])
    #expect(replay(2, 3) == [.event(2), .event(3), .event(4), .event(5)])
    #expect(publish(6) == [.event(6)])
  }

  @Test mutating func `Other topics do not wait for the one with a gap`() {
    join(at: 1)
    _ = publish(4)
    #expect(publish(1, on: other) == [.event(1)])
  }

  @Test mutating func `A replay with more to come is asked for the rest`() {
    join(at: 1)
    _ = publish(8)
    #expect(
      replay(2, 3, hasMore: true) == [.event(2), .event(3), .askEvents(4...7)])
    // Events that come out of order or twice are sorted out.
    #expect(
      replay(5, 4, 4, hasMore: true) == [.event(4), .event(5), .askEvents(6...7)])
    #expect(replay(6, 7) == [.event(6), .event(7), .event(8)])
  }

  @Test
  mutating func `Events that the node does not keep any more are a gap, and a snapshot follows`() {
    join(at: 1)
    _ = publish(6)
    #expect(replay(4, 5) == [.askSnapshot])
    #expect(publish(7) == [])
    #expect(
      snapshot("t", at: 6) == [.gap(2), .event(4), .event(5), .event(6), .snapshot("t"), .event(7)])
  }

  @Test mutating func `A node that promises more and sends nothing is not asked forever`() {
    join(at: 1)
    _ = publish(3)
    #expect(replay(hasMore: true) == [.askSnapshot])
    #expect(snapshot("t", at: 3) == [.gap(1), .event(3), .snapshot("t")])
  }

  @Test mutating func `Replayed events that were not asked for are ignored`() {
    join(at: 1)
    _ = publish(3)
    #expect(replay(2, 9) == [.event(2), .event(3)])
    #expect(publish(4) == [.event(4)])
  }

  @Test mutating func `A node without replays leaves a gap`() {
    join(at: 1)
    _ = publish(3)
    #expect(replayFails(.unsupported) == [.askSnapshot])
    #expect(snapshot("t", at: 3) == [.gap(1), .event(3), .snapshot("t")])
  }

  @Test mutating func `A busy node is asked again with its next heartbeat`() {
    join(at: 1)
    _ = publish(3)
    #expect(replayFails(.busy, isRetryable: true) == [])
    #expect(publish(4) == [])
    #expect(heartbeat(4) == [.askEvents(2...2)])
  }

  @Test mutating func `A subscription that was broken misses nothing when it is back`() {
    join(at: 1)
    #expect(connect() == [.askSnapshot])
    #expect(snapshot("t", at: 3) == [.askEvents(2...3)])
    #expect(publish(4) == [])
    // The snapshot comes after every event that it includes.
    #expect(replay(2, 3) == [.event(2), .event(3), .snapshot("t"), .event(4)])
  }

  @Test mutating func `The heartbeat shows that the last events are missing`() {
    join(at: 1)
    #expect(heartbeat(1) == [])
    #expect(heartbeat(3) == [.askEvents(2...3)])
    #expect(heartbeat(3) == [])
    #expect(replay(2, 3) == [.event(2), .event(3)])
  }

  @Test mutating func `Topics outside the subscription are not missed`() {
    tracker = Tracker(EventScope(camera: "other"))
    _ = connect()
    #expect(snapshot("s", at: 1) == [.snapshot("s")])
    #expect(heartbeat(9) == [])
  }

  // MARK: Bounds

  @Test mutating func `Events beyond the limit of held back ones are asked for later`() {
    join(at: 0)
    let limit = UInt64(Tracker.keptLimit)
    _ = publish(2)
    for sequence in 3...limit + 3 { #expect(publish(sequence) == []) }
    let told = replay(1)
    #expect(told.count == Int(limit) + 2)
    #expect(told.last == .askEvents(limit + 2...limit + 3))
  }

  @Test
  mutating func
    `A reader that stops reading keeps a bounded number of events waiting and misses none`()
  {
    join(at: 0)
    let limit = UInt64(Tracker.keptLimit)
    for sequence in 1...limit * 3 {
      tracker.published(.init(Int(sequence), on: topic, sequence, sent: 0), of: epoch)
    }
    let told = steps()
    #expect(told.first == .event(1))
    #expect(told.count == Int(limit) + 1)
    #expect(told.last == .askEvents(limit + 1...limit * 3))
  }

  @Test mutating func `Numbers that no node can reach do no harm`() {
    join(at: 1)
    #expect(publish(.max) == [.askEvents(2...UInt64.max - 1)])
    #expect(heartbeat(.max) == [])
    #expect(replay() == [.askSnapshot])
    #expect(snapshot("t", at: .max) == [.gap(UInt64.max - 2), .snapshot("t")])
  }

  @Test mutating func `One replay request stays within the limit of ranges`() {
    join(at: 0)
    for sequence in 1...200 as ClosedRange<UInt64> where sequence.isMultiple(of: 2) {
      tracker.published(.init(0, on: topic, sequence, sent: 0), of: epoch)
    }
    var ranges: [Int] = []
    while let request = tracker.nextRequest() {
      if case .replay(let asked) = request { ranges.append(asked.count) }
    }
    #expect(ranges == [WireLimits.replayRanges])
  }

  @Test
  mutating func
    `Waiting events of several topics come in the order in which they were sent`()
  {
    _ = connect()
    tracker.published(.init(2, on: other, 1, sent: 20), of: epoch)
    tracker.published(.init(1, on: topic, 1, sent: 10), of: epoch)
    tracker.published(.init(3, on: topic, 2, sent: 30), of: epoch)
    #expect(snapshot("s", at: 0) == [.snapshot("s"), .event(1), .event(2), .event(3)])
  }

  // MARK: Short forms

  private func position(_ topic: String, _ number: UInt64) -> EventPosition {
    EventPosition([topic: number], of: Identifier(epoch))
  }

  mutating func join(at sequence: UInt64) {
    _ = connect()
    _ = snapshot("s", at: sequence)
  }

  mutating func connect() -> [Step] {
    tracker.connected()
    return steps()
  }

  mutating func publish(
    _ sequence: UInt64,
    on topic: String? = nil,
    of epoch: Epoch? = nil
  ) -> [Step] {
    let event = Int(clamping: sequence)
    tracker.published(
      .init(event, on: topic ?? self.topic, sequence, sent: 0), of: epoch ?? self.epoch)
    return steps()
  }

  mutating func heartbeat(_ last: UInt64, of epoch: Epoch? = nil) -> [Step] {
    tracker.heartbeat([topic: last], of: epoch ?? self.epoch)
    return steps()
  }

  mutating func snapshot(
    _ text: String,
    at sequence: UInt64,
    of epoch: Epoch? = nil
  ) -> [Step] {
    tracker.snapshot(text, including: [topic: sequence], of: epoch ?? self.epoch)
    return steps()
  }

  mutating func replay(
    _ sequences: UInt64...,
    hasMore: Bool = false,
    of epoch: Epoch? = nil
  ) -> [Step] {
    let events = sequences.map { Tracker.Arrival(Int($0), on: topic, $0, sent: 0) }
    tracker.replayed(events, hasMore: hasMore, of: epoch ?? self.epoch)
    return steps()
  }

  mutating func replayFails(
    _ code: CameraBusError.Code,
    isRetryable: Bool = false
  ) -> [Step] {
    tracker.replayFailed(CameraBusError(code, "", isRetryable: isRetryable))
    return steps()
  }

  mutating func fallSilent(_ reason: Problem? = nil) -> [Step] {
    tracker.fallSilent(reason)
    return steps()
  }

  mutating func steps() -> [Step] {
    var steps: [Step] = []
    while let output = tracker.next() {
      let step: Step =
        switch output {
        case .snapshot(let text): .snapshot(text)
        case .event(let number): .event(number)
        case .gap(let missing, _): .gap(missing)
        case .nodeRestarted: .nodeRestarted
        case .disconnected(let reason): .disconnected(reason?.code)
        case .reconnected: .reconnected
        }
      steps.append(step)
    }
    while let request = tracker.nextRequest() {
      switch request {
      case .snapshot: steps.append(.askSnapshot)
      case .replay(let ranges):
        steps += ranges.map {
          .askEvents($0.numbers.lowerBound...$0.numbers.upperBound - 1, of: $0.topic)
        }
      }
    }
    return steps
  }
}
