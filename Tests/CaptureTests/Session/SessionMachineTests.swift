import OperatingSystem
import Testing

@testable import Capture

struct SessionMachineTests {
  static let unplugged = CaptureError(.deviceNotFound, "unplugged")
  private static let broken = CaptureError(.deviceFailed, "broken")
  private static let stalled = CaptureError(.deviceStalled, "stalled")

  func time(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(seconds * 1e9))
  }

  func attempt(_ seconds: Double, _ summary: String = "opened it") -> Attempt {
    Attempt(time: time(seconds), summary: summary)
  }

  /// A machine that has been running since 1 s and delivering since 2 s.
  func running() -> SessionMachine {
    var machine = SessionMachine(now: time(0))
    _ = machine.start(at: time(1))
    machine.started(attempt(1), at: time(2))
    machine.delivers(at: time(2))
    return machine
  }

  /// The seconds from `now` to the attempt that the actions plan.
  func pause(_ actions: [SessionMachine.Action], from now: Double) throws -> Double {
    guard case .retry(let next)? = actions.last else {
      throw Missing()
    }
    return Double((next - time(now)) / .milliseconds(1)) / 1000
  }

  private struct Missing: Error {}

  @Test func `A successful start leads to running`() {
    var machine = SessionMachine(now: time(0))
    #expect(machine.start(at: time(1)) == [.open])
    #expect(machine.state == .starting)
    #expect(machine.start(at: time(1)) == [])
    machine.started(attempt(1), at: time(2))
    #expect(machine.state == .running && machine.since == time(2))
  }

  @Test func `A running camera is starting while it changes its format`() {
    var machine = running()
    machine.restart(at: time(3))
    #expect(machine.state == .starting && machine.since == time(3))
    machine.started(attempt(3), at: time(4))
    #expect(machine.state == .running)
    var stopped = SessionMachine(now: time(0))
    stopped.restart(at: time(1))
    #expect(stopped.state == .stopped)
  }

  @Test func `An unplugged camera is interrupted and closed, and an attempt is planned`() {
    var machine = running()
    let actions = machine.ended(Self.unplugged, at: time(10))
    #expect(actions == [.close, .retry(at: time(10.25))])
    let failure = SessionState.Failure(
      error: Self.unplugged, attempts: 0, lastAttempt: nil, nextAttempt: time(10.25))
    #expect(
      machine.state
        == .interrupted(SessionState.Interruption(reason: .deviceDisconnected, failure: failure)))
    #expect(machine.since == time(10))
    #expect(machine.retry() == [.open])
    #expect(machine.state.isTrouble, "trying ends no interruption")
  }

  @Test func `Pauses double up to a limit, and attempts are counted and reported`() throws {
    var machine = running()
    _ = machine.ended(Self.unplugged, at: time(10))
    var pauses: [Double] = []
    for number in 1...7 {
      let tried = attempt(100, "try \(number)")
      pauses.append(try pause(machine.failed(Self.unplugged, tried, at: time(100)), from: 100))
      #expect(machine.state.failure?.attempts == number)
      #expect(machine.state.failure?.lastAttempt == tried)
    }
    #expect(pauses == [0.5, 1, 2, 4, 8, 10, 10])
  }

  @Test func `Trouble keeps its beginning when one kind of it follows another`() {
    var machine = running()
    _ = machine.ended(Self.stalled, at: time(10))
    for (error, now) in [(Self.unplugged, 11.0), (Self.broken, 12), (Self.stalled, 13)] {
      _ = machine.failed(error, attempt(now), at: time(now))
      #expect(machine.state.failure?.error == error)
      #expect(machine.since == time(10))
    }
    machine.started(attempt(14), at: time(15))
    #expect(machine.since == time(15))
  }

  @Test func `Errors that are no interruptions are failures, and are tried again too`() {
    var machine = running()
    #expect(machine.ended(Self.broken, at: time(3)).count == 2)
    guard case .failed(let failure) = machine.state else {
      Issue.record("not failed but \(machine.state)")
      return
    }
    #expect(failure.error == Self.broken)
    #expect(machine.retry() == [.open])
    machine.started(attempt(4), at: time(4))
    #expect(machine.state == .running)
  }

  @Test func `A camera that fails soon after each start is tried more and more rarely`() throws {
    var machine = running()
    var now = 100.0
    var pauses = [try pause(machine.ended(Self.stalled, at: time(now)), from: now)]
    for _ in 1...4 {
      machine.started(attempt(now), at: time(now))
      machine.delivers(at: time(now))
      now += 4.9
      pauses.append(try pause(machine.ended(Self.stalled, at: time(now)), from: now))
    }
    #expect(pauses == [0.25, 0.5, 1, 2, 4])
    #expect(machine.state.failure?.attempts == 4)
    #expect(machine.since == time(now), "it did run in between")
  }

  @Test func `Silence does not count as running steadily, and an attempt without a frame says so`()
    throws
  {
    var machine = running()
    _ = machine.ended(Self.stalled, at: time(100))
    machine.started(attempt(100, "started streaming"), at: time(100))
    #expect(try pause(machine.ended(Self.stalled, at: time(120)), from: 120) == 0.5)
    #expect(machine.state.failure?.lastAttempt?.summary == "started streaming, got no frame")
    machine.started(attempt(121), at: time(121))
    machine.delivers(at: time(121))
    // It delivered for 3 s and was silent for 17 s.
    let actions = machine.ended(Self.stalled, silence: .seconds(17), at: time(141))
    #expect(try pause(actions, from: 141) == 1)
  }

  @Test
  func
    `After running steadily, attempts and pauses begin again; after long pauses that takes longer`()
    throws
  {
    for (tries, steady) in [(1, 5.0), (5, 8)] {
      for (time, isMended) in [(steady, true), (steady - 0.1, false)] {
        var machine = running()
        _ = machine.ended(Self.unplugged, at: self.time(100))
        for _ in 1..<tries { _ = machine.failed(Self.unplugged, attempt(100), at: self.time(100)) }
        machine.started(attempt(100), at: self.time(100))
        machine.delivers(at: self.time(101))
        let end = 101 + time
        let actions = machine.ended(Self.unplugged, at: self.time(end))
        #expect((try pause(actions, from: end) == 0.25) == isMended)
        #expect((machine.state.failure?.attempts == 0) == isMended)
        #expect((machine.state.failure?.lastAttempt == nil) == isMended)
      }
    }
  }

  @Test func `A change of the device leads to an attempt at once, and to short pauses`() throws {
    var machine = running()
    _ = machine.ended(Self.unplugged, at: time(10))
    for _ in 1...6 { _ = machine.failed(Self.unplugged, attempt(20), at: time(20)) }
    #expect(machine.deviceChanged(at: time(21)) == [.cancelRetry, .open])
    #expect(
      try pause(machine.failed(Self.unplugged, attempt(21), at: time(21)), from: 21) == 0.5)
    #expect(machine.state.failure?.attempts == 7, "all are counted")
    #expect(machine.since == time(10))
  }

  @Test func `However often the device changes, attempts keep a distance`() {
    var machine = running()
    _ = machine.ended(Self.unplugged, at: time(10))
    for _ in 1...6 { _ = machine.failed(Self.unplugged, attempt(20), at: time(20.1)) }
    #expect(machine.deviceChanged(at: time(20.15)) == [.retry(at: time(20.25))])
    #expect(machine.state.failure?.nextAttempt == time(20.25))
    #expect(machine.deviceChanged(at: time(20.2)) == [], "it is planned already")
    var well = running()
    #expect(well.deviceChanged(at: time(20)) == [])
  }

  @Test func `A stop ends attempts, and late failures change nothing`() {
    var machine = running()
    _ = machine.ended(Self.unplugged, at: time(3))
    #expect(machine.stop(at: time(4)) == [.cancelRetry, .close])
    #expect(machine.retry() == [])
    #expect(machine.deviceChanged(at: time(5)) == [])
    #expect(machine.failed(Self.unplugged, attempt(5), at: time(5)) == [])
    #expect(machine.ended(Self.unplugged, at: time(5)) == [])
    #expect(machine.state == .stopped)
    #expect(machine.stop(at: time(6)) == [])
  }

  @Test
  func `A start during an interruption makes an attempt at once and does not end the interruption`()
  {
    var machine = running()
    _ = machine.ended(Self.unplugged, at: time(3))
    #expect(machine.start(at: time(4)) == [.cancelRetry, .open])
    #expect(machine.state.isTrouble && machine.since == time(3))
  }

  @Test func `A start that fails counts as an attempt`() throws {
    var machine = SessionMachine(now: time(0))
    _ = machine.start(at: time(1))
    #expect(try pause(machine.failed(Self.broken, attempt(1), at: time(2)), from: 2) == 0.5)
    #expect(machine.state.failure?.attempts == 1)
    #expect(machine.state.failure?.lastAttempt == attempt(1))
  }

  @Test(arguments: [
    (CaptureError.Code.deviceNotFound, InterruptionReason.deviceDisconnected),
    (.deviceBusy, .deviceInUseByAnotherClient), (.deviceStalled, .deviceStalled),
  ])
  func `Errors that are interruptions have a reason`(
    code: CaptureError.Code, reason: InterruptionReason
  ) {
    #expect(InterruptionReason(CaptureError(code, "")) == reason)
  }
}
