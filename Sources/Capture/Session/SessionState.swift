package import OperatingSystem

/// Where a camera's session stands.
package enum SessionState: Hashable, Sendable {
  case stopped
  case starting
  case running
  /// Ends by itself when its cause goes.
  case interrupted(Interruption)
  /// An error that is no interruption; the session tries again with growing pauses.
  case failed(Failure)

  package var isTrouble: Bool { failure != nil }

  /// What is wrong, while something is.
  package var failure: Failure? {
    switch self {
    case .interrupted(let interruption): interruption.failure
    case .failed(let failure): failure
    case .stopped, .starting, .running: nil
    }
  }
}

/// Why a session is interrupted, and what is done about it.
package struct Interruption: Hashable, Sendable {
  package var reason: InterruptionReason
  package var failure: Failure
}

/// What went wrong, what was tried, and when the next try is.
package struct Failure: Hashable, Sendable {
  package var error: CaptureError
  /// Tries since the camera ran steadily last.
  package var attempts: Int
  package var lastAttempt: Attempt?
  package var nextAttempt: MonotonicTime?
}

/// A try to get a camera.
package struct Attempt: Hashable, Sendable {
  /// When it began.
  package var time: MonotonicTime
  /// What it did and how far it came: "opened /dev/video0, failed to set 1280x720 YUYV".
  package var summary: String
}

package enum InterruptionReason: Hashable, Sendable {
  case deviceDisconnected
  case deviceInUseByAnotherClient
  case deviceStalled

  /// The interruption that an error means; nil when it is a failure of another kind.
  package init?(_ error: CaptureError) {
    switch error.code {
    case .deviceNotFound: self = .deviceDisconnected
    case .deviceBusy: self = .deviceInUseByAnotherClient
    case .deviceStalled: self = .deviceStalled
    default: return nil
    }
  }
}
