import EventLoop
import Testing

@testable import Capture

struct SessionMachineTests {
  private static let unplugged = CaptureError(.deviceNotFound, "unplugged")
  private static let broken = CaptureError(.deviceFailed, "broken")

  private func time(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(seconds * 1e9))
  }

  private func running() -> SessionMachine {
    var machine = SessionMachine(now: time(0))
    _ = machine.start(at: time(1))
    _ = machine.started(at: time(2))
    return machine
  }

  @Test func `A start opens the camera, and its success is running`() {
    var machine = SessionMachine(now: time(0))
    #expect(machine.start(at: time(1)) == [.open])
    #expect(machine.state == .starting)
    #expect(machine.start(at: time(1)) == [])
    #expect(machine.started(at: time(2)) == [])
    #expect(machine.state == .running && machine.since == time(2))
  }

  @Test func `A running camera is starting while it gets another format`() {
    var machine = running()
    machine.restart(at: time(3))
    #expect(machine.state == .starting && machine.since == time(3))
    #expect(machine.started(at: time(4)) == [])
    #expect(machine.state == .running)
    var stopped = SessionMachine(now: time(0))
    stopped.restart(at: time(1))
    #expect(stopped.state == .stopped)
  }

  @Test func `Unplugging interrupts, closes and plans a retry`() {
    var machine = running()
    let actions = machine.failed(Self.unplugged, at: time(10))
    #expect(actions == [.close, .retry(at: time(10.25))])
    guard case .interrupted(let interruption) = machine.state else {
      Issue.record("not interrupted but \(machine.state)")
      return
    }
    #expect(interruption.reason == .deviceDisconnected)
    #expect(interruption.failure.attempts == 0)
    #expect(interruption.failure.nextAttempt == time(10.25))
    #expect(machine.retry() == [.open])
  }

  @Test func `Pauses double up to their limit, and the interruption keeps its beginning`() {
    var machine = running()
    _ = machine.failed(Self.unplugged, at: time(10))
    var pauses: [Double] = []
    for _ in 0..<7 {
      guard case .retry(let next)? = machine.failed(Self.unplugged, at: time(100)).last else {
        Issue.record("no retry was planned")
        return
      }
      pauses.append(Double((next - time(100)) / .milliseconds(1)) / 1000)
    }
    #expect(pauses == [0.5, 1, 2, 4, 8, 10, 10])
    #expect(machine.since == time(10))
  }

  @Test func `What is no interruption is a failure that is tried again too`() {
    var machine = running()
    #expect(machine.failed(Self.broken, at: time(3)).count == 2)
    guard case .failed(let failure) = machine.state else {
      Issue.record("not failed but \(machine.state)")
      return
    }
    #expect(failure.error == Self.broken)
    #expect(machine.retry() == [.open])
    _ = machine.started(at: time(4))
    #expect(machine.state == .running)
  }

  @Test func `A stop ends retries, and late failures change nothing`() {
    var machine = running()
    _ = machine.failed(Self.unplugged, at: time(3))
    #expect(machine.stop(at: time(4)) == [.cancelRetry, .close])
    #expect(machine.retry() == [])
    #expect(machine.failed(Self.unplugged, at: time(5)) == [])
    #expect(machine.state == .stopped)
    #expect(machine.stop(at: time(6)) == [])
  }

  @Test func `A start during an interruption tries at once`() {
    var machine = running()
    _ = machine.failed(Self.unplugged, at: time(3))
    #expect(machine.start(at: time(4)) == [.cancelRetry, .open])
  }

  @Test(arguments: [
    (CaptureError.Code.deviceNotFound, InterruptionReason.deviceDisconnected),
    (.deviceBusy, .deviceInUseByAnotherClient), (.deviceStalled, .deviceStalled),
  ])
  func `Errors that are interruptions have their reason`(
    code: CaptureError.Code, reason: InterruptionReason
  ) {
    #expect(InterruptionReason(CaptureError(code, "")) == reason)
  }
}
