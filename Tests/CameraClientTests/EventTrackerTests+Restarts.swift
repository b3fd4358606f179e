import CameraClient
import CameraProtocol
import Testing

extension EventTrackerTests {
  // MARK: Restarts

  @Test mutating func `After a restart everything of the new start is told, from its first event`()
  {
    join(at: 7)
    let next = Epoch.random()
    // The snapshot decides whether it is a late word of a start before.
    #expect(publish(3, of: next) == ["ask for a snapshot"])
    #expect(
      snapshot("t", at: 2, of: next) == ["nodeRestarted", "ask for event/cam/state/ 1-2"])
    #expect(replay(1, 2, of: next) == ["event 1", "event 2", "snapshot t", "event 3"])
    #expect(publish(4, of: next) == ["event 4"])
  }

  @Test mutating func `A restart that only the snapshot shows is told too`() {
    join(at: 7)
    _ = connect()
    let next = Epoch.random()
    #expect(snapshot("t", at: 2, of: next) == ["nodeRestarted", "ask for event/cam/state/ 1-2"])
    #expect(replay(2, of: next) == ["ask for a snapshot"])
    #expect(snapshot("u", at: 2, of: next) == ["gap 1", "event 2", "snapshot u"])
  }

  @Test mutating func `What is missing at a restart is a gap, and what was held back is told`() {
    join(at: 1)
    _ = publish(3)
    let next = Epoch.random()
    _ = heartbeat(0, of: next)
    #expect(
      snapshot("t", at: 0, of: next) == ["gap 1", "event 3", "nodeRestarted", "snapshot t"])
  }

  @Test mutating func `What comes late of a start that is over is passed over`() {
    join(at: 1)
    let next = Epoch.random()
    _ = publish(1, of: next)
    _ = snapshot("t", at: 1, of: next)
    #expect(replay(1, of: next) == [])
    #expect(publish(2) == [])
    #expect(heartbeat(1, of: next) == [])
  }

  @Test mutating func `What was published before the present start is found out to be old`() {
    join(at: 1)
    let old = Epoch.random()
    #expect(publish(7, of: old) == ["ask for a snapshot"])
    #expect(publish(2) == [])
    #expect(snapshot("t", at: 2) == ["event 2", "snapshot t"])
    #expect(publish(8, of: old) == [])
  }

  @Test mutating func `A snapshot that was asked for before tells nothing of a new start`() {
    join(at: 1)
    _ = connect()
    let next = Epoch.random()
    #expect(publish(1, of: next) == [])
    #expect(snapshot("t", at: 1) == ["ask for a snapshot"])
    #expect(
      snapshot("u", at: 1, of: next) == ["snapshot t", "nodeRestarted", "event 1", "snapshot u"])
  }

  @Test mutating func `A replay that a new start answers is asked for again of what it published`()
  {
    join(at: 1)
    _ = publish(3)
    let next = Epoch.random()
    #expect(replay(1, 2, of: next) == ["ask for a snapshot"])
    #expect(
      snapshot("t", at: 2, of: next)
        == ["gap 1", "event 3", "nodeRestarted", "ask for event/cam/state/ 1-2"])
  }

  // MARK: Silence

  @Test mutating func `Silence is told once, and at its end what happened meanwhile`() {
    join(at: 1)
    #expect(fallSilent() == ["disconnected"])
    #expect(fallSilent() == [])
    #expect(heartbeat(2) == ["reconnected", "ask for a snapshot"])
    #expect(snapshot("t", at: 2) == ["ask for event/cam/state/ 2-2"])
    #expect(replay(2) == ["event 2", "snapshot t"])
  }

  @Test mutating func `Without a first snapshot there is nothing to follow`() {
    _ = connect()
    let goesOn = tracker.snapshotFailed(CameraBusError(.unreachable, "no"))
    #expect(!goesOn)
    #expect(fallSilent() == [])
  }

  @Test mutating func `A node that does not answer is gone until it is heard again`() {
    join(at: 1)
    _ = publish(3)
    #expect(replayFails(.timedOut) == ["disconnected"])
    #expect(heartbeat(3) == ["reconnected", "ask for a snapshot"])
    let goesOn = tracker.snapshotFailed(CameraBusError(.timedOut, ""))
    #expect(goesOn)
    #expect(words() == ["disconnected"])
  }
}
