import CameraProtocol
import Keys
import SwiftProtobuf

extension NodeServices {
  /// The table of all requests: the properties of each kind, and the service that serves it.
  @ControlLoop func entry(for request: WireRequest.OneOf_Body) -> RequestEntry {
    switch request {
    case .status(let body):
      .awaiting(isQuestion: true) { try await status.status(body, $0) }
    case .clock: .direct(isQuestion: true) { status.clock($0) }
    case .devices(let body):
      .awaiting(isQuestion: true) { try await devices.list(body, $0) }
    case .microphones(let body):
      .awaiting(isQuestion: true) { try await microphones.list(body, $0) }
    case .sessionStart(let body):
      .awaiting(for: .controller) { try await sessions.start(body, $0) }
    case .sessionStop(let body):
      .awaiting(for: .controller) { try await sessions.stop(body, $0) }
    case .configure(let body):
      .awaiting(for: .controller) { try await sessions.configure(body, $0) }
    case .sessionSuspend(let body):
      .awaiting(for: .controller) { try await sessions.suspend(body, $0) }
    case .sessionResume(let body):
      .awaiting(for: .controller) { try await sessions.resume(body, $0) }
    case .leaseAcquire(let body):
      .direct(for: .operator) { try leases.acquire(body, $0) }
    case .leaseRenew(let body):
      .direct(for: .operator) { try leases.renew(body, $0) }
    case .leaseRelease(let body):
      .direct(for: .operator) { try leases.release(body, $0) }
    case .formats(let body):
      .awaiting(isQuestion: true) { try await sessions.formats(body, $0) }
    case .capabilities(let body):
      .awaiting(isQuestion: true) { try await sessions.capabilities(body, $0) }
    case .calibration(let body):
      .direct(isQuestion: true) { try sessions.calibration(body, $0) }
    case .controlsList(let body):
      .awaiting(isQuestion: true) { try await controls.list(body, $0) }
    case .controlsGet(let body):
      .awaiting(isQuestion: true) { try await controls.get(body, $0) }
    case .controlsSet(let body):
      .awaiting(for: .operator) { try await controls.set(body, $0) }
    case .capture(let body):
      .awaiting(for: .operator, mustNotRepeat: true) {
        try await captures.capture(CaptureOrder(body, asked: $0.asked), $0)
      }
    case .shotPrepare(let body):
      .awaiting(for: .operator, mustNotRepeat: true) { try await shots.prepare(body, $0) }
    case .shotCommit(let body):
      .awaiting(for: .operator, mustNotRepeat: true) { try await shots.commit(body, $0) }
    case .shotAbort(let body):
      .direct(for: .operator, isUrgent: true) { try shots.abort(body, $0) }
    case .recordStart(let body):
      .awaiting(for: .operator, mustNotRepeat: true) {
        try await recordings.start(body, $0)
      }
    case .recordStop(let body):
      .direct(for: .operator, mustNotRepeat: true, isUrgent: true) {
        try recordings.stop(body, $0)
      }
    case .recordPause(let body):
      .direct(for: .operator, mustNotRepeat: true) { try recordings.pause(body, $0) }
    case .recordResume(let body):
      .direct(for: .operator, mustNotRepeat: true) { try recordings.resume(body, $0) }
    case .recordTrigger(let body):
      .direct(for: .operator, mustNotRepeat: true, isUrgent: true) {
        try recordings.trigger(body, $0)
      }
    case .assets(let body):
      .awaiting(isQuestion: true) { try await library.list(body, $0) }
    case .delete(let body):
      .awaiting(for: .controller, mustNotRepeat: true) {
        try await library.delete(body, $0)
      }
    case .protect(let body):
      .awaiting(for: .controller, mustNotRepeat: true) {
        try await library.protect(body, $0)
      }
    case .tag(let body):
      .awaiting(for: .operator, mustNotRepeat: true) {
        try await library.tag(body, $0)
      }
    case .libraryVerify(let body):
      .awaiting(for: .operator) { try await library.verify(body, $0) }
    case .libraryRepair(let body):
      .awaiting(for: .controller, mustNotRepeat: true) {
        try await library.repair(body, $0)
      }
    case .replay(let body): .direct(isQuestion: true) { events.replay(body, $0) }
    case .download(let body):
      .awaiting(for: .operator, isQuestion: true) {
        try await downloads.download(body, $0)
      }
    case .downloadCredit(let body):
      .notice(for: .operator) { downloads.extend(body, of: $0) }
    case .cancel(let body): .awaiting(isUrgent: true) { await router.cancel(body, $0) }
    }
  }
}
