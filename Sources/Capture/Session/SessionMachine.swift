package import EventLoop

/// The states of a session and what follows from each event: pure, no I/O, no clock of its own.
package struct SessionMachine: Hashable, Sendable {
  /// What the session has to do next.
  package enum Action: Hashable, Sendable {
    case open
    case close
    /// Try again at this moment.
    case retry(at: MonotonicTime)
    case cancelRetry
  }

  package private(set) var state = SessionState.stopped
  package private(set) var since: MonotonicTime
  private let backoff: Backoff

  package init(now: MonotonicTime, backoff: Backoff = Backoff()) {
    since = now
    self.backoff = backoff
  }

  /// Somebody wants the session to run.
  package mutating func start(at now: MonotonicTime) -> [Action] {
    switch state {
    case .starting, .running: return []
    case .stopped:
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

  /// The device streams.
  package mutating func started(at now: MonotonicTime) -> [Action] {
    enter(.running, at: now)
    return []
  }

  /// The device could not be started, or stopped streaming.
  package mutating func failed(_ error: CaptureError, at now: MonotonicTime) -> [Action] {
    guard state != .stopped else { return [] }
    let attempts = self.attempts + (state == .running ? 0 : 1)
    let next = now + .nanoseconds(backoff.pause(attempts: attempts))
    let failure = Failure(error: error, attempts: attempts, nextAttempt: next)
    let isSameKind = isTrouble
    if let reason = InterruptionReason(error) {
      enter(
        .interrupted(Interruption(reason: reason, failure: failure)),
        at: isSameKind ? since : now
      )
    } else {
      enter(.failed(failure), at: isSameKind ? since : now)
    }
    return [.close, .retry(at: next)]
  }

  /// The pause is over.
  package mutating func retry() -> [Action] {
    isTrouble ? [.open] : []
  }

  package mutating func stop(at now: MonotonicTime) -> [Action] {
    guard state != .stopped else { return [] }
    enter(.stopped, at: now)
    return [.cancelRetry, .close]
  }

  private var isTrouble: Bool {
    switch state {
    case .interrupted, .failed: true
    case .stopped, .starting, .running: false
    }
  }

  private var attempts: Int {
    switch state {
    case .interrupted(let interruption): interruption.failure.attempts
    case .failed(let failure): failure.attempts
    case .stopped, .starting, .running: 0
    }
  }

  private mutating func enter(_ state: SessionState, at now: MonotonicTime) {
    self.state = state
    since = now
  }
}

/// Pauses between tries: doubling from a quarter of a second to ten seconds.
package struct Backoff: Hashable, Sendable {
  package var first: Int64 = 250_000_000
  package var longest: Int64 = 10_000_000_000

  package init() {}

  /// The pause after this many failed tries, nanoseconds.
  func pause(attempts: Int) -> Int64 {
    min(longest, first << Int64(min(max(0, attempts), 16)))
  }
}
