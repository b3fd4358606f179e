import CameraProtocol
import Testing

@testable import CameraClient

extension EventTrackerTests {
  // MARK: Restarts

  @Test
  mutating func `After a restart the reader gets every event of the new start from the first on`() {
    join(at: 7)
    let next = Epoch.random()
    // The snapshot decides whether it is a late event of an earlier start.
    #expect(publish(3, of: next) == [.askSnapshot])
    #expect(
      snapshot("t", at: 2, of: next) == [.nodeRestarted, .askEvents(1...2)])
    #expect(replay(1, 2, of: next) == [.event(1), .event(2), .snapshot("t"), .event(3)])
    #expect(publish(4, of: next) == [.event(4)])
  }

  @Test mutating func `A restart that only the snapshot shows is reported too`() {
    join(at: 7)
    _ = connect()
    let next = Epoch.random()
    #expect(snapshot("t", at: 2, of: next) == [.nodeRestarted, .askEvents(1...2)])
    #expect(replay(2, of: next) == [.askSnapshot])
    #expect(snapshot("u", at: 2, of: next) == [.gap(1), .event(2), .snapshot("u")])
  }

  @Test
  mutating func `Events that are missing at a restart are a gap, and the held back ones follow`() {
    join(at: 1)
    _ = publish(3)
    let next = Epoch.random()
    _ = heartbeat(0, of: next)
    #expect(
      snapshot("t", at: 0, of: next) == [.gap(1), .event(3), .nodeRestarted, .snapshot("t")])
  }

  @Test mutating func `Late events of a start that is over are ignored`() {
    join(at: 1)
    let next = Epoch.random()
    _ = publish(1, of: next)
    _ = snapshot("t", at: 1, of: next)
    #expect(replay(1, of: next) == [])
    #expect(publish(2) == [])
    #expect(heartbeat(1, of: next) == [])
  }

  @Test mutating func `An event from before the present start is recognised as old`() {
    join(at: 1)
    let old = Epoch.random()
    #expect(publish(7, of: old) == [.askSnapshot])
    #expect(publish(2) == [])
    #expect(snapshot("t", at: 2) == [.event(2), .snapshot("t")])
    #expect(publish(8, of: old) == [])
  }

  @Test mutating func `A snapshot from before a restart says nothing about the new start`() {
    join(at: 1)
    _ = connect()
    let next = Epoch.random()
    #expect(publish(1, of: next) == [])
    #expect(snapshot("t", at: 1) == [.askSnapshot])
    #expect(
      snapshot("u", at: 1, of: next) == [.snapshot("t"), .nodeRestarted, .event(1), .snapshot("u")])
  }

  @Test
  mutating func `A replay that a new start answers is asked again for the new start's events`() {
    join(at: 1)
    _ = publish(3)
    let next = Epoch.random()
    #expect(replay(1, 2, of: next) == [.askSnapshot])
    #expect(
      snapshot("t", at: 2, of: next)
        == [.gap(1), .event(3), .nodeRestarted, .askEvents(1...2)])
  }

  // MARK: Silence

  @Test mutating func `A silence is reported once, and the events of that time follow at its end`()
  {
    join(at: 1)
    #expect(fallSilent() == [.disconnected(nil)])
    #expect(fallSilent() == [])
    #expect(heartbeat(2) == [.reconnected, .askSnapshot])
    #expect(snapshot("t", at: 2) == [.askEvents(2...2)])
    #expect(replay(2) == [.event(2), .snapshot("t")])
  }

  @Test mutating func `A reason that becomes known during a silence is reported too, once`() {
    join(at: 1)
    let reason = Problem(code: .notAuthorized, message: "no")
    #expect(fallSilent() == [.disconnected(nil)])
    #expect(fallSilent(reason) == [.disconnected(.notAuthorized)])
    #expect(steps() == [])
    #expect(heartbeat(1) == [.reconnected, .askSnapshot])
    #expect(fallSilent(reason) == [.disconnected(.notAuthorized)])
  }

  @Test mutating func `Without a first snapshot there is nothing to follow`() {
    _ = connect()
    let goesOn = tracker.snapshotFailed(CameraBusError(.unreachable, "no"))
    #expect(!goesOn)
    #expect(fallSilent() == [])
  }

  @Test mutating func `A node that does not answer counts as gone until something comes from it`() {
    join(at: 1)
    _ = publish(3)
    #expect(replayFails(.timedOut) == [.disconnected(nil)])
    #expect(heartbeat(3) == [.reconnected, .askSnapshot])
    let goesOn = tracker.snapshotFailed(CameraBusError(.timedOut, ""))
    #expect(goesOn)
    #expect(steps() == [.disconnected(nil)])
  }
}
