import CameraClient
import CameraProtocol
import Testing

/// Events are numbers here and snapshots are texts; what the reader is told and the node is asked
/// is compared by its words.
struct EventTrackerTests {
  typealias Tracker = EventTracker<Int, String>

  let epoch = Epoch.random()
  let topic = "event/cam/state/"
  private let other = "event/cam/capture/"
  var tracker = Tracker()

  @Test mutating func `A newcomer gets a snapshot and what it does not include`() {
    #expect(connect() == ["ask for a snapshot"])
    #expect(publish(4) == [])
    #expect(publish(5) == [])
    #expect(snapshot("s", at: 4) == ["snapshot s", "event 5"])
    #expect(publish(5) == [])
    #expect(publish(6) == ["event 6"])
  }

  @Test mutating func `A newcomer that wants the history gets what is kept, then the snapshot`() {
    tracker = Tracker(hasHistory: true)
    _ = connect()
    #expect(publish(5) == [])
    #expect(snapshot("s", at: 4) == ["ask for event/cam/state/ 1-4"])
    // What the node had forgotten before the reader came is no gap.
    #expect(replay(3, 4) == ["event 3", "event 4", "snapshot s", "event 5"])
    #expect(publish(7) == ["ask for event/cam/state/ 6-6"])
    #expect(replay() == ["ask for a snapshot"])
    #expect(snapshot("t", at: 7) == ["gap 1", "event 7", "snapshot t"])
  }

  @Test mutating func `A gap is filled, and what came meanwhile follows in order`() {
    join(at: 1)
    #expect(publish(4) == ["ask for event/cam/state/ 2-3"])
    #expect(publish(5) == [])
    #expect(replay(2, 3) == ["event 2", "event 3", "event 4", "event 5"])
    #expect(publish(6) == ["event 6"])
  }

  @Test mutating func `Other topics do not wait for the one with a gap`() {
    join(at: 1)
    _ = publish(4)
    #expect(publish(1, on: other) == ["event 1"])
  }

  @Test mutating func `Where there is more, it is asked for`() {
    join(at: 1)
    _ = publish(8)
    #expect(
      replay(2, 3, hasMore: true) == ["event 2", "event 3", "ask for event/cam/state/ 4-7"])
    // What comes out of order or twice is put right.
    #expect(
      replay(5, 4, 4, hasMore: true) == ["event 4", "event 5", "ask for event/cam/state/ 6-7"])
    #expect(replay(6, 7) == ["event 6", "event 7", "event 8"])
  }

  @Test mutating func `What the node keeps no more is a gap, and a snapshot follows`() {
    join(at: 1)
    _ = publish(6)
    #expect(replay(4, 5) == ["ask for a snapshot"])
    #expect(publish(7) == [])
    #expect(
      snapshot("t", at: 6) == ["gap 2", "event 4", "event 5", "event 6", "snapshot t", "event 7"])
  }

  @Test mutating func `A node that promises more and gives nothing is not asked for ever`() {
    join(at: 1)
    _ = publish(3)
    #expect(replay(hasMore: true) == ["ask for a snapshot"])
    #expect(snapshot("t", at: 3) == ["gap 1", "event 3", "snapshot t"])
  }

  @Test mutating func `What was not asked for is not believed`() {
    join(at: 1)
    _ = publish(3)
    #expect(replay(2, 9) == ["event 2", "event 3"])
    #expect(publish(4) == ["event 4"])
  }

  @Test mutating func `A node that knows no replays leaves a gap`() {
    join(at: 1)
    _ = publish(3)
    #expect(replayFails(.unsupported) == ["ask for a snapshot"])
    #expect(snapshot("t", at: 3) == ["gap 1", "event 3", "snapshot t"])
  }

  @Test mutating func `A busy node is asked again with its next heartbeat`() {
    join(at: 1)
    _ = publish(3)
    #expect(replayFails(.busy, isRetryable: true) == [])
    #expect(publish(4) == [])
    #expect(heartbeat(4) == ["ask for event/cam/state/ 2-2"])
  }

  @Test mutating func `A subscription that was broken and is back misses nothing`() {
    join(at: 1)
    #expect(connect() == ["ask for a snapshot"])
    #expect(snapshot("t", at: 3) == ["ask for event/cam/state/ 2-3"])
    #expect(publish(4) == [])
    // The snapshot is told when all that it includes was told.
    #expect(replay(2, 3) == ["event 2", "event 3", "snapshot t", "event 4"])
  }

  @Test mutating func `The heartbeat shows that the last events are missing`() {
    join(at: 1)
    #expect(heartbeat(1) == [])
    #expect(heartbeat(3) == ["ask for event/cam/state/ 2-3"])
    #expect(heartbeat(3) == [])
    #expect(replay(2, 3) == ["event 2", "event 3"])
  }

  @Test mutating func `Topics that were not subscribed to are not missed`() {
    tracker = Tracker(EventScope(camera: "other"))
    _ = connect()
    #expect(snapshot("s", at: 1) == ["snapshot s"])
    #expect(heartbeat(9) == [])
  }

  // MARK: Bounds

  @Test mutating func `What is too much to hold back is asked for later`() {
    join(at: 0)
    let limit = UInt64(Tracker.keptLimit)
    _ = publish(2)
    for sequence in 3...limit + 3 { #expect(publish(sequence) == []) }
    let told = replay(1)
    #expect(told.count == Int(limit) + 2)
    #expect(told.last == "ask for event/cam/state/ \(limit + 2)-\(limit + 3)")
  }

  @Test
  mutating func `A reader that takes nothing is kept a bounded number of events, and misses none`()
  {
    join(at: 0)
    let limit = UInt64(Tracker.keptLimit)
    for sequence in 1...limit * 3 {
      tracker.published(.init(Int(sequence), on: topic, sequence, sent: 0), of: epoch)
    }
    let told = words()
    #expect(told.first == "event 1")
    #expect(told.count == Int(limit) + 1)
    #expect(told.last == "ask for event/cam/state/ \(limit + 1)-\(limit * 3)")
  }

  @Test mutating func `Numbers that no node can have reached are survived`() {
    join(at: 1)
    #expect(publish(.max) == ["ask for event/cam/state/ 2-\(UInt64.max - 1)"])
    #expect(heartbeat(.max) == [])
    #expect(replay() == ["ask for a snapshot"])
    #expect(snapshot("t", at: .max) == ["gap \(UInt64.max - 2)", "snapshot t"])
  }

  @Test mutating func `One question names no more ranges than it may`() {
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
    `Events of several topics that waited are told in the order in which they were sent`()
  {
    _ = connect()
    tracker.published(.init(2, on: other, 1, sent: 20), of: epoch)
    tracker.published(.init(1, on: topic, 1, sent: 10), of: epoch)
    tracker.published(.init(3, on: topic, 2, sent: 30), of: epoch)
    #expect(snapshot("s", at: 0) == ["snapshot s", "event 1", "event 2", "event 3"])
  }

  // MARK: Short forms

  mutating func join(at sequence: UInt64) {
    _ = connect()
    _ = snapshot("s", at: sequence)
  }

  mutating func connect() -> [String] {
    tracker.connected()
    return words()
  }

  mutating func publish(
    _ sequence: UInt64,
    on topic: String? = nil,
    of epoch: Epoch? = nil
  ) -> [String] {
    let event = Int(clamping: sequence)
    tracker.published(
      .init(event, on: topic ?? self.topic, sequence, sent: 0), of: epoch ?? self.epoch)
    return words()
  }

  mutating func heartbeat(_ last: UInt64, of epoch: Epoch? = nil) -> [String] {
    tracker.heartbeat([topic: last], of: epoch ?? self.epoch)
    return words()
  }

  mutating func snapshot(
    _ text: String,
    at sequence: UInt64,
    of epoch: Epoch? = nil
  ) -> [String] {
    tracker.snapshot(text, including: [topic: sequence], of: epoch ?? self.epoch)
    return words()
  }

  mutating func replay(
    _ sequences: UInt64...,
    hasMore: Bool = false,
    of epoch: Epoch? = nil
  ) -> [String] {
    let events = sequences.map { Tracker.Arrival(Int($0), on: topic, $0, sent: 0) }
    tracker.replayed(events, hasMore: hasMore, of: epoch ?? self.epoch)
    return words()
  }

  mutating func replayFails(
    _ code: CameraBusError.Code,
    isRetryable: Bool = false
  ) -> [String] {
    tracker.replayFailed(CameraBusError(code, "", isRetryable: isRetryable))
    return words()
  }

  mutating func fallSilent() -> [String] {
    tracker.fallSilent()
    return words()
  }

  mutating func words() -> [String] {
    var words: [String] = []
    while let output = tracker.next() {
      switch output {
      case .snapshot(let text): words.append("snapshot \(text)")
      case .event(let number): words.append("event \(number)")
      case .gap(let missing, _): words.append("gap \(missing)")
      case .nodeRestarted: words.append("nodeRestarted")
      case .disconnected: words.append("disconnected")
      case .reconnected: words.append("reconnected")
      }
    }
    while let request = tracker.nextRequest() {
      switch request {
      case .snapshot: words.append("ask for a snapshot")
      case .replay(let ranges):
        words += ranges.map {
          "ask for \($0.topic) \($0.numbers.lowerBound)-\($0.numbers.upperBound - 1)"
        }
      }
    }
    return words
  }
}
