package import OperatingSystem

/// The states of a session and what follows from each event: pure, no I/O, no clock of its own.
///
/// Trouble, of whatever kind, lasts from the failure of a stream or a start until a try succeeds, and `since` is its
/// beginning. Tries are counted, and pauses grow, until the camera has run steadily: a start alone mends nothing.
package struct SessionMachine: Hashable, Sendable {
  /// What the session has to do next.
  package enum Action: Hashable, Sendable {
    case open
    case close
    /// Try again at this moment, instead of at any that was planned.
    case retry(at: MonotonicTime)
    case cancelRetry
  }

  package private(set) var state = SessionState.stopped
  package private(set) var since: MonotonicTime
  private let backoff: Backoff
  /// Tries since the camera ran steadily last, and the last of them.
  private var attempts = 0
  private var lastAttempt: Attempt?
  /// Those of them that make the pauses longer: since something happened that gave hope.
  private var vainAttempts = 0
  /// Of the running camera.
  private var firstFrame: MonotonicTime?

  package init(now: MonotonicTime, backoff: Backoff = Backoff()) {
    since = now
    self.backoff = backoff
  }

  // MARK: What is wanted

  /// Somebody wants the session to run. Trouble goes on until the try that this makes succeeds.
  package mutating func start(at now: MonotonicTime) -> [Action] {
    switch state {
    case .starting, .running: return []
    case .stopped:
      forgetAttempts()
      enter(.starting, at: now)
      return [.open]
    case .interrupted, .failed:
      return [.cancelRetry, .open]
    }
  }

  /// A running device is let go, to be started with another format.
  package mutating func restart(at now: MonotonicTime) {
    if state == .running { enter(.starting, at: now) }
  }

  package mutating func stop(at now: MonotonicTime) -> [Action] {
    guard state != .stopped else { return [] }
    enter(.stopped, at: now)
    return [.cancelRetry, .close]
  }

  // MARK: What happens

  /// A try succeeded: the device streams.
  package mutating func started(_ attempt: Attempt, at now: MonotonicTime) {
    if state.isTrouble { count(attempt) }
    firstFrame = nil
    enter(.running, at: now)
  }

  /// The running device gave its first frame.
  package mutating func delivers(at now: MonotonicTime) {
    firstFrame = now
  }

  /// A try failed.
  package mutating func failed(
    _ error: CaptureError, _ attempt: Attempt, at now: MonotonicTime
  ) -> [Action] {
    guard state != .stopped else { return [] }
    count(attempt)
    return trouble(error, at: now)
  }

  /// The running device stopped delivering.
  /// - Parameter silence: how long ago it delivered last, in nanoseconds.
  package mutating func ended(
    _ error: CaptureError, silence: Int64 = 0, at now: MonotonicTime
  ) -> [Action] {
    guard state == .running else { return [] }
    if ranSteadily(until: now - .nanoseconds(silence)) {
      forgetAttempts()
    } else if firstFrame == nil {
      lastAttempt?.summary += ", got no frame"
    }
    return trouble(error, at: now)
  }

  /// The pause is over.
  package mutating func retry() -> [Action] {
    state.isTrouble ? [.open] : []
  }

  /// Something happened that may make a try succeed: the device was plugged in, another program let go of it. It is
  /// tried at once, and then with short pauses, for such things do not come alone: a node, then its permissions.
  package mutating func deviceChanged(at now: MonotonicTime) -> [Action] {
    guard let failure = state.failure else { return [] }
    vainAttempts = 0
    let soonest = (lastAttempt?.time).map { $0 + .nanoseconds(backoff.first) } ?? now
    guard soonest > now else { return [.cancelRetry, .open] }
    guard failure.nextAttempt.map({ soonest < $0 }) ?? true else { return [] }
    enterTrouble(failure.error, next: soonest, since: since)
    return [.retry(at: soonest)]
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
    return end - firstFrame >= .nanoseconds(backoff.steadiness(afterTries: vainAttempts))
  }

  private mutating func trouble(_ error: CaptureError, at now: MonotonicTime) -> [Action] {
    let next = now + .nanoseconds(backoff.pause(afterTries: vainAttempts))
    enterTrouble(error, next: next, since: state.isTrouble ? since : now)
    return [.close, .retry(at: next)]
  }

  private mutating func enterTrouble(
    _ error: CaptureError, next: MonotonicTime, since: MonotonicTime
  ) {
    let failure = Failure(
      error: error, attempts: attempts, lastAttempt: lastAttempt, nextAttempt: next)
    if let reason = InterruptionReason(error) {
      enter(.interrupted(Interruption(reason: reason, failure: failure)), at: since)
    } else {
      enter(.failed(failure), at: since)
    }
  }

  private mutating func enter(_ state: SessionState, at now: MonotonicTime) {
    self.state = state
    since = now
  }
}
