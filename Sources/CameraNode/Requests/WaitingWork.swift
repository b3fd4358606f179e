import Capture
import OperatingSystem

/// What another thread is to do for a request: until it begins it can be cancelled, and become too
/// late.
final class WaitingWork: Sendable {
  private enum Phase { case waiting, begun, cancelled }

  private let deadline: MonotonicTime
  private let phase = Mutex(Phase.waiting)

  init(until deadline: MonotonicTime) {
    self.deadline = deadline
  }

  /// Sees to it that the work is not begun; false when it was.
  func cancel() -> Bool {
    phase.withLock { phase in
      if phase == .waiting { phase = .cancelled }
      return phase == .cancelled
    }
  }

  /// The thread that does the work takes it up.
  /// - Throws: `cancelled`, `deadlineExceeded`; the work is then not to be done.
  func begin() throws(CaptureError) {
    let isCancelled = phase.withLock { phase in
      if phase == .waiting { phase = .begun }
      return phase == .cancelled
    }
    guard !isCancelled else { throw CaptureError(.cancelled, "the request was cancelled") }
    guard MonotonicTime.now < deadline else {
      throw CaptureError(
        .deadlineExceeded,
        "the request's time was over before it could be begun, and nothing was done: wait longer"
      )
    }
  }
}
