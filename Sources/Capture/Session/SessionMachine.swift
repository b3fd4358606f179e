package import OperatingSystem

/// The states of a session and the actions that follow from each event. Pure: no I/O, and no clock
/// of its own.
///
/// Trouble of any kind lasts from the failure of a stream or a start until an attempt succeeds, and
/// `since` is its beginning. Attempts are counted, and pauses grow, until the camera has run
/// steadily; a successful start is not enough.
package struct SessionMachine: Hashable, Sendable {
  /// An action of the session. Actions are done in order.
  package enum Action: Hashable, Sendable {
    case open
    /// End the stream and close the device, if it is open.
    case close
    /// Try again at this moment instead of the one planned before.
    case retry(at: MonotonicTime)
    case cancelRetry
  }

  package private(set) var state = SessionState.stopped
  package private(set) var since: MonotonicTime
  private let backoff: Backoff
  /// Attempts since the camera last ran steadily, and the last of them.
  private var attempts = 0
  private var lastAttempt: Attempt?
  /// The attempts that lengthen the pauses: those since the device last changed.
  private(set) var vainAttempts = 0
  /// When the running camera delivered its first frame.
  private var firstFrame: MonotonicTime?
  /// Why no camera may run, if the machine is too hard pressed.
  package private(set) var pressure: CaptureError?
  /// Why the session has stopped for good.
  package private(set) var endWords: String?

  package init(now: MonotonicTime, backoff: Backoff = Backoff()) {
    since = now
    self.backoff = backoff
  }

  // MARK: Requests

  /// The session is asked to run. Trouble goes on until the attempt that this makes succeeds.
  package mutating func start(at now: MonotonicTime) -> [Action] {
    switch state {
    case .starting, .running: return []
    case .stopped, .idle:
      forgetAttempts()
      return begin(at: now)
    case .interrupted, .failed:
      return state.isHeld ? [] : [.cancelRetry, .open]
    }
  }

  /// A running device is about to be closed, to be started with another format.
  package mutating func restart(at now: MonotonicTime) {
    if state == .running { enter(.starting, at: now) }
  }

  package mutating func stop(
    forGood words: String? = nil, at now: MonotonicTime
  ) -> [Action] {
    endWords = words
    guard state != .stopped else { return [] }
    enter(.stopped, at: now)
    return [.cancelRetry, .close]
  }

  /// Nobody uses the running camera.
  package mutating func idle(at now: MonotonicTime) -> [Action] {
    guard state == .running else { return [] }
    enter(.idle, at: now)
    return [.close]
  }

  /// Somebody wants to use the camera, which may be idle.
  package mutating func wake(at now: MonotonicTime) -> [Action] {
    state == .idle ? start(at: now) : []
  }

  /// The camera is taken away from a session that runs, or wants to, until `resume` or `stop`.
  /// - Parameter error: What is said meanwhile.
  package mutating func suspend(_ error: CaptureError, at now: MonotonicTime) -> [Action] {
    guard state != .stopped else { return [] }
    hold(.suspendedByOperator, error, at: state.isSuspended ? since : now)
    return [.cancelRetry, .close]
  }

  /// The end of `suspend`.
  package mutating func resume(at now: MonotonicTime) -> [Action] {
    state.isSuspended ? begin(at: now) : []
  }

  /// The machine is too hard pressed for a camera to run, until `release`. A suspension goes on.
  package mutating func press(_ error: CaptureError, at now: MonotonicTime) -> [Action] {
    pressure = error
    guard state != .stopped, !state.isSuspended else { return [] }
    hold(.systemPressure, error, at: state.isHeld ? since : now)
    return [.cancelRetry, .close]
  }

  /// The end of `press`.
  package mutating func release(at now: MonotonicTime) -> [Action] {
    pressure = nil
    return state.isHeld && !state.isSuspended ? begin(at: now) : []
  }

  private mutating func begin(at now: MonotonicTime) -> [Action] {
    if let pressure {
      hold(.systemPressure, pressure, at: now)
      return []
    }
    enter(.starting, at: now)
    return [.open]
  }

  private mutating func hold(
    _ reason: InterruptionReason, _ error: CaptureError, at since: MonotonicTime
  ) {
    forgetAttempts()
    let failure = SessionState.Failure(
      error: error, attempts: 0, lastAttempt: nil, nextAttempt: nil)
    enter(
      .interrupted(SessionState.Interruption(reason: reason, failure: failure)), at: since)
  }

  // MARK: Events of the device

  /// An attempt succeeded: the device streams.
  package mutating func started(_ attempt: Attempt, at now: MonotonicTime) {
    if state.isTrouble { count(attempt) }
    firstFrame = nil
    enter(.running, at: now)
  }

  /// The running device delivered its first frame.
  package mutating func delivers(at now: MonotonicTime) {
    firstFrame = now
  }

  /// An attempt failed.
  package mutating func failed(
    _ error: CaptureError, _ attempt: Attempt, at now: MonotonicTime
  ) -> [Action] {
    guard state != .stopped else { return [] }
    count(attempt)
    return trouble(error, at: now)
  }

  /// The running device stopped delivering.
  /// - Parameter silence: The time since its last frame.
  package mutating func ended(
    _ error: CaptureError, silence: Duration = .zero, at now: MonotonicTime
  ) -> [Action] {
    guard state == .running else { return [] }
    if ranSteadily(until: now - silence) {
      forgetAttempts()
    } else if firstFrame == nil {
      lastAttempt?.summary += ", got no frame"
    }
    return trouble(error, at: now)
  }

  /// The pause is over.
  package mutating func retry() -> [Action] {
    state.isTrouble && !state.isHeld ? [.open] : []
  }

  /// The next attempt may succeed, because the device was plugged in or another program released
  /// it. It is made at once, and the next ones after short pauses, because such changes come in
  /// several steps: the device node appears first and gets its permissions later.
  package mutating func deviceChanged(at now: MonotonicTime) -> [Action] {
    guard let failure = state.failure, !state.isHeld else { return [] }
    vainAttempts = 0
    let soonest = (lastAttempt?.time).map { $0 + backoff.first } ?? now
    guard soonest > now else { return [.cancelRetry, .open] }
    guard failure.nextAttempt.map({ soonest < $0 }) ?? true else { return [] }
    enterTrouble(failure.error, next: soonest, since: since)
    return [.retry(at: soonest)]
  }

  /// Why a stream has ended.
  /// - Parameter isAwaited: Whether an idle camera was to start for photos.
  func endError(isAwaited: Bool) -> CaptureError {
    if isAwaited, let failure = state.failure { return failure.error }
    let cause =
      switch state {
      case .interrupted(let interruption):
        "the camera was interrupted: \(interruption.failure.error.message)"
      case .failed(let failure): "the camera failed: \(failure.error.message)"
      case .stopped: endWords ?? "the camera's session was stopped: start it, and ask again"
      case .starting, .running, .idle: "the camera was given another format or input: ask again"
      }
    return CaptureError(.interrupted, cause)
  }

  // MARK: Trouble

  private mutating func count(_ attempt: Attempt) {
    attempts += 1
    vainAttempts += 1
    lastAttempt = attempt
  }

  private mutating func forgetAttempts() {
    (attempts, vainAttempts, lastAttempt) = (0, 0, nil)
  }

  private func ranSteadily(until end: MonotonicTime) -> Bool {
    guard let firstFrame else { return false }
    return end - firstFrame >= backoff.steadiness(afterTries: vainAttempts)
  }

  private mutating func trouble(_ error: CaptureError, at now: MonotonicTime) -> [Action] {
    let next = now + backoff.pause(afterTries: vainAttempts)
    enterTrouble(error, next: next, since: state.isTrouble ? since : now)
    return [.close, .retry(at: next)]
  }

  private mutating func enterTrouble(
    _ error: CaptureError, next: MonotonicTime, since: MonotonicTime
  ) {
    let failure = SessionState.Failure(
      error: error, attempts: attempts, lastAttempt: lastAttempt, nextAttempt: next)
    if let reason = InterruptionReason(error) {
      enter(.interrupted(SessionState.Interruption(reason: reason, failure: failure)), at: since)
    } else {
      enter(.failed(failure), at: since)
    }
  }

  private mutating func enter(_ state: SessionState, at now: MonotonicTime) {
    self.state = state
    since = now
  }
}
