package import OperatingSystem

/// The state of a camera's session.
package enum SessionState: Hashable, Sendable {
  case stopped
  case starting
  case running
  /// The camera is closed because nobody uses it. The session starts it when somebody does.
  case idle
  /// Ends by itself when its cause goes away.
  case interrupted(Interruption)
  /// An error that is no interruption. The session tries again with growing pauses.
  case failed(Failure)

  package var isTrouble: Bool { failure != nil }

  /// Whether an operator has taken the camera away, so that nothing but `resume` or `stop` ends it.
  package var isSuspended: Bool { interruptionReason == .suspendedByOperator }

  /// Whether the camera is kept closed on purpose, so that no try would be of use.
  package var isHeld: Bool { isSuspended || interruptionReason == .systemPressure }

  private var interruptionReason: InterruptionReason? {
    if case .interrupted(let interruption) = self { interruption.reason } else { nil }
  }

  /// The error of an interrupted or failed session.
  package var failure: Failure? {
    switch self {
    case .interrupted(let interruption): interruption.failure
    case .failed(let failure): failure
    case .stopped, .starting, .running, .idle: nil
    }
  }

  /// Why a session is interrupted, and what is being done about it.
  package struct Interruption: Hashable, Sendable {
    package var reason: InterruptionReason
    package var failure: Failure
  }

  /// An error, the attempts to recover from it, and the time of the next.
  package struct Failure: Hashable, Sendable {
    package var error: CaptureError
    /// Attempts since the camera last ran steadily.
    package var attempts: Int
    package var lastAttempt: Attempt?
    package var nextAttempt: MonotonicTime?
  }
}

/// An attempt to start a camera.
package struct Attempt: Hashable, Sendable {
  /// When it began.
  package var time: MonotonicTime
  /// Its steps: "opened /dev/video0, failed to set 1280x720 YUYV".
  package var summary: String
}

package enum InterruptionReason: Hashable, Sendable {
  case deviceDisconnected
  case deviceInUseByAnotherClient
  case deviceStalled
  case systemPressure
  case suspendedByOperator

  /// The interruption that an error stands for; nil if it is another kind of failure.
  package init?(_ error: CaptureError) {
    switch error.code {
    case .deviceNotFound: self = .deviceDisconnected
    case .deviceBusy: self = .deviceInUseByAnotherClient
    case .deviceStalled: self = .deviceStalled
    default: return nil
    }
  }
}
