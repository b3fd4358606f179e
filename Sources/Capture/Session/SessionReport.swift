import OperatingSystem

/// What a session says of its state. While the session's thread waits for a driver that does not
/// come back, the frame loop says that.
final class SessionReport: Sendable {
  private struct State: Sendable {
    /// What was said last, without a stall.
    var status: SessionStatus?
    var hasFrames = false
    var capabilities: CameraCapabilities?
  }

  private let state = Mutex(State())
  private let onEvent: @Sendable (SessionEvent) -> Void

  init(_ onEvent: @escaping @Sendable (SessionEvent) -> Void) { self.onEvent = onEvent }

  func send(_ event: SessionEvent) { onEvent(event) }

  /// What the camera can do, as it was reported last.
  var capabilities: CameraCapabilities? { state.withLock { $0.capabilities } }

  /// Reports what the camera can do, unless that was reported last.
  func take(_ capabilities: CameraCapabilities) {
    let isNews = state.withLock { state in
      defer { state.capabilities = capabilities }
      return capabilities != state.capabilities
    }
    if isNews { onEvent(.capabilities(capabilities)) }
  }

  /// Reports the status, unless it was the last one reported.
  func take(_ status: SessionStatus) {
    let isNews = state.withLock { state in
      defer { state.status = status }
      if status.state != .running { state.hasFrames = false }
      return status != state.status
    }
    if isNews { onEvent(.state(status)) }
  }

  func firstFrame() {
    state.withLock { $0.hasFrames = true }
    onEvent(.firstFrame)
  }

  /// A call into the driver takes too long. A stopped session stays that in its status.
  /// - Returns: Whether the camera delivered frames when the call began.
  func stalled(_ error: CaptureError) -> Bool {
    guard var status = state.withLock({ $0.status }), status.state != .stopped else {
      onEvent(.remark(error.message))
      return false
    }
    let isRunning = status.state == .running
    var failure =
      status.state.failure
      ?? SessionState.Failure(error: error, attempts: 0, lastAttempt: nil, nextAttempt: nil)
    failure.error = error
    failure.nextAttempt = nil
    status.state = .interrupted(SessionState.Interruption(reason: .deviceStalled, failure: failure))
    onEvent(.state(status))
    return isRunning
  }

  /// The call has come back.
  func returned() {
    let (status, hasFrames) = state.withLock { ($0.status, $0.hasFrames) }
    if let status { onEvent(.state(status)) }
    if hasFrames { onEvent(.firstFrame) }
  }
}
