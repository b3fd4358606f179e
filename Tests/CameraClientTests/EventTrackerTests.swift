import CameraClient
import CameraProtocol
import EventLoop
import Testing

/// Events are numbers here and snapshots are texts; outputs are compared by their words.
struct EventTrackerTests {
  private typealias Tracker = EventTracker<Int, String>

  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
  private let epoch = Epoch.random()
  private let topic = "event/cam/state/"
  private var tracker = Tracker(prefix: "event/")

  @Test mutating func `A newcomer gets a snapshot and what it does not include`() {
    #expect(connect() == ["requestSnapshot"])
    #expect(publish(4) == [])
    #expect(publish(5) == [])
    #expect(snapshot("s", at: 4) == ["snapshot s", "event 5"])
    #expect(publish(5) == [])
    #expect(publish(6) == ["event 6"])
  }

  @Test mutating func `A gap is told, and a snapshot follows`() {
    _ = connect()
    _ = snapshot("s", at: 1)
    #expect(publish(4) == ["gap 2", "event 4", "requestSnapshot"])
    #expect(snapshot("t", at: 4) == ["snapshot t"])
  }

  @Test mutating func `What comes while a later snapshot is awaited is told before it`() {
    _ = connect()
    _ = snapshot("s", at: 1)
    _ = publish(4)
    #expect(publish(5) == [])
    #expect(publish(6) == [])
    #expect(snapshot("t", at: 5) == ["event 5", "snapshot t", "event 6"])
  }

  @Test mutating func `A later snapshot that includes more than came is a gap`() {
    _ = connect()
    _ = snapshot("s", at: 1)
    // The subscription was broken and is back.
    #expect(connect() == ["requestSnapshot"])
    #expect(snapshot("t", at: 3) == ["gap 2", "snapshot t"])
  }

  @Test mutating func `The heartbeat shows that the last events are missing`() {
    _ = connect()
    _ = snapshot("s", at: 1)
    #expect(heartbeat(1) == [])
    #expect(heartbeat(3) == ["gap 2", "requestSnapshot"])
    // They are told once.
    #expect(snapshot("t", at: 3) == ["snapshot t"])
    #expect(heartbeat(3) == [])
  }

  @Test mutating func `Topics that were not subscribed to are not missed`() {
    tracker = Tracker(prefix: "event/other/")
    _ = connect()
    _ = snapshot("s", at: 1)
    #expect(heartbeat(9) == [])
  }

  @Test mutating func `A restart of the node is told, and begins with a snapshot`() {
    _ = connect()
    _ = snapshot("s", at: 7)
    let next = Epoch.random()
    #expect(publish(1, of: next) == ["nodeRestarted", "requestSnapshot"])
    #expect(snapshot("t", at: 0, of: next) == ["snapshot t", "event 1"])
    #expect(publish(2, of: next) == ["event 2"])
  }

  @Test mutating func `A restart that only the snapshot shows is told too`() {
    _ = connect()
    _ = snapshot("s", at: 7)
    _ = connect()
    #expect(snapshot("t", at: 2, of: Epoch.random()) == ["nodeRestarted", "snapshot t"])
  }

  @Test mutating func `Silence is told once, and its end with a snapshot`() {
    _ = connect()
    _ = snapshot("s", at: 1)
    #expect(tracker.deadline == start + .seconds(3))
    #expect(expire(after: .seconds(2)) == [])
    #expect(expire(after: .seconds(3)) == ["disconnected"])
    #expect(tracker.deadline == nil)
    #expect(expire(after: .seconds(9)) == [])
    #expect(heartbeat(1) == ["reconnected", "requestSnapshot"])
    #expect(snapshot("t", at: 2) == ["gap 1", "snapshot t"])
  }

  @Test mutating func `Without a first snapshot there is nothing to follow`() {
    _ = connect()
    let error = CameraBusError(.unreachable, "no")
    #expect(tracker.snapshotFailed(error).map(words) == ["failed unreachable"])
  }

  @Test mutating func `A later snapshot that fails is tried again with the next sign of life`() {
    _ = connect()
    _ = snapshot("s", at: 1)
    _ = publish(3)
    #expect(tracker.snapshotFailed(CameraBusError(.timedOut, "")).map(words) == ["disconnected"])
    #expect(heartbeat(3) == ["reconnected", "requestSnapshot"])
  }

  @Test mutating func `What does not fit while a snapshot is awaited is told as a gap`() {
    _ = connect()
    for sequence in 1...UInt64(Tracker.pendingLimit + 2) { #expect(publish(sequence) == []) }
    let outputs = snapshot("s", at: 0)
    #expect(outputs.prefix(3) == ["snapshot s", "gap 2", "event 3"])
    // The rest waits for the snapshot that the gap asks for.
    #expect(outputs.count == 4)
    #expect(outputs.last == "requestSnapshot")
    #expect(snapshot("t", at: 3).count == Tracker.pendingLimit)
  }

  // MARK: Short forms

  private mutating func connect() -> [String] { tracker.connected(at: start).map(words) }

  private mutating func publish(_ sequence: UInt64, of epoch: Epoch? = nil) -> [String] {
    tracker.published(Int(sequence), on: topic, sequence, of: epoch ?? self.epoch, at: start)
      .map(words)
  }

  private mutating func heartbeat(_ last: UInt64) -> [String] {
    tracker.heartbeat([topic: last], of: epoch, at: start).map(words)
  }

  private mutating func snapshot(
    _ text: String,
    at sequence: UInt64,
    of epoch: Epoch? = nil
  ) -> [String] {
    tracker.snapshot(text, including: [topic: sequence], of: epoch ?? self.epoch).map(words)
  }

  private mutating func expire(after duration: Duration) -> [String] {
    tracker.expire(at: start + duration).map(words)
  }

  private func words(_ output: Tracker.Output) -> String {
    switch output {
    case .requestSnapshot: "requestSnapshot"
    case .snapshot(let text): "snapshot \(text)"
    case .event(let number): "event \(number)"
    case .gap(let missing): "gap \(missing)"
    case .nodeRestarted: "nodeRestarted"
    case .disconnected: "disconnected"
    case .reconnected: "reconnected"
    case .failed(let error): "failed \(error.code)"
    }
  }
}
