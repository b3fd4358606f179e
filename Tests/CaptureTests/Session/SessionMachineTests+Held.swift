import OperatingSystem
import Testing

@testable import Capture

/// A camera that does not run because its operator, nobody or the machine wants it to.
extension SessionMachineTests {
  private static let cleaned = CaptureError(.interrupted, "being cleaned")

  @Test func `A suspended camera is closed, and nothing but its operator starts it`() throws {
    var machine = running()
    #expect(machine.suspend(Self.cleaned, at: time(10)) == [.cancelRetry, .close])
    #expect(machine.state.isSuspended && machine.since == time(10))
    #expect(machine.state.failure?.error == Self.cleaned)
    #expect(machine.state.failure?.nextAttempt == nil)
    let suspended = machine
    #expect(machine.deviceChanged(at: time(11)) == [])
    #expect(machine.retry() == [])
    #expect(machine.ended(Self.unplugged, at: time(11)) == [])
    #expect(machine == suspended)
    #expect(machine.suspend(CaptureError(.interrupted, "longer"), at: time(12)).last == .close)
    #expect(machine.state.failure?.error.message == "longer")
    #expect(machine.since == time(10), "it is the same suspension")
    #expect(machine.resume(at: time(13)) == [.open])
    #expect(machine.state == .starting)
    #expect(machine.resume(at: time(13)) == [])
  }

  @Test func `A camera that is gone after its suspension is tried again as after any trouble`()
    throws
  {
    var machine = running()
    _ = machine.suspend(Self.cleaned, at: time(10))
    _ = machine.resume(at: time(20))
    let actions = machine.failed(Self.unplugged, attempt(20), at: time(21))
    #expect(try pause(actions, from: 21) > 0)
    #expect(machine.state.failure?.attempts == 1)
    #expect(!machine.state.isSuspended)
  }

  @Test func `A suspension replaces other trouble, and only a started session has one`() {
    var machine = running()
    _ = machine.ended(Self.unplugged, at: time(5))
    #expect(machine.suspend(Self.cleaned, at: time(6)) == [.cancelRetry, .close])
    #expect(machine.state.isSuspended && machine.since == time(6))
    #expect(machine.stop(at: time(7)) == [.cancelRetry, .close])
    #expect(machine.suspend(Self.cleaned, at: time(8)) == [])
    #expect(machine.resume(at: time(8)) == [])
    #expect(machine.state == .stopped)
  }

  @Test func `Only a running camera becomes idle, and only an idle one is woken`() throws {
    var machine = running()
    #expect(machine.wake(at: time(9)) == [])
    #expect(machine.idle(at: time(10)) == [.close])
    #expect(machine.state == .idle && machine.since == time(10))
    let idle = machine
    #expect(machine.idle(at: time(11)) == [])
    #expect(machine.ended(Self.unplugged, at: time(11)) == [])
    #expect(machine.retry() == [] && machine.deviceChanged(at: time(11)) == [])
    #expect(machine.resume(at: time(11)) == [])
    #expect(machine == idle)
    #expect(machine.wake(at: time(12)) == [.open])
    #expect(machine.state == .starting)
    let actions = machine.failed(Self.unplugged, attempt(12), at: time(13))
    #expect(try pause(actions, from: 13) > 0)
    #expect(machine.idle(at: time(14)) == [] && machine.wake(at: time(14)) == [])
    #expect(machine.stop(at: time(15)) == [.cancelRetry, .close])
    #expect(machine.wake(at: time(16)) == [], "it stays stopped")
  }

  private static let hot = CaptureError(.interrupted, "too hot")

  private func reason(_ machine: SessionMachine) -> InterruptionReason? {
    if case .interrupted(let interruption) = machine.state { interruption.reason } else { nil }
  }

  @Test func `No camera runs under pressure, and each is started again afterwards`() {
    var machine = running()
    #expect(machine.press(Self.hot, at: time(10)) == [.cancelRetry, .close])
    #expect(reason(machine) == .systemPressure && machine.since == time(10))
    #expect(machine.state.isHeld && !machine.state.isSuspended)
    let held = machine
    #expect(machine.deviceChanged(at: time(11)) == [] && machine.retry() == [])
    #expect(machine.start(at: time(11)) == [] && machine.resume(at: time(11)) == [])
    #expect(machine == held)
    #expect(machine.release(at: time(12)) == [.open])
    #expect(machine.state == .starting)
    #expect(machine.release(at: time(12)) == [])
  }

  @Test func `A suspension and pressure do not end each other`() {
    var machine = running()
    _ = machine.suspend(Self.cleaned, at: time(1))
    #expect(machine.press(Self.hot, at: time(2)) == [])
    #expect(reason(machine) == .suspendedByOperator)
    #expect(machine.resume(at: time(3)) == [])
    #expect(reason(machine) == .systemPressure && machine.since == time(3))
    _ = machine.suspend(Self.cleaned, at: time(4))
    #expect(machine.release(at: time(5)) == [])
    #expect(reason(machine) == .suspendedByOperator)
    #expect(machine.resume(at: time(6)) == [.open])
  }

  @Test func `A stopped camera is not started by the end of pressure, and not under it`() {
    var machine = running()
    _ = machine.stop(at: time(1))
    #expect(machine.press(Self.hot, at: time(2)) == [])
    #expect(machine.state == .stopped)
    #expect(machine.start(at: time(3)) == [])
    #expect(reason(machine) == .systemPressure, "whoever keeps trying gets it later")
    _ = machine.stop(at: time(4))
    #expect(machine.release(at: time(5)) == [] && machine.state == .stopped)
    #expect(machine.start(at: time(6)) == [.open])
  }
}
