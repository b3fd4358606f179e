import Capture
import EventLoop
import OperatingSystem

/// Decides once whether the work for a request begins. Until then the request can be cancelled, and
/// its deadline can pass.
final class StartPermit: Sendable {
  private enum State { case open, used, cancelled }

  private let deadline: MonotonicTime
  private let state = Mutex(State.open)

  init(until deadline: MonotonicTime) {
    self.deadline = deadline
  }

  /// Prevents the work; returns false when it has begun already. Can be called on any thread.
  func cancel() -> Bool {
    state.withLock { state in
      if state == .open { state = .cancelled }
      return state == .cancelled
    }
  }

  /// Takes the permit. Called on the thread that is about to do the work.
  /// - Throws: `cancelled` or `deadlineExceeded` when the work must not begin.
  func take() throws(CaptureError) {
    let isCancelled = state.withLock { state in
      if state == .open { state = .used }
      return state == .cancelled
    }
    guard !isCancelled else { throw CaptureError.requestCancelled }
    guard MonotonicTime.now < deadline else {
      throw CaptureError(
        .deadlineExceeded,
        "the request's time was over before it could be begun, and nothing was done: wait longer"
      )
    }
  }

  /// Takes the permit on the actor's thread and does the work there.
  func use<Owner: Actor, R: Sendable>(
    on owner: isolated Owner, _ body: (isolated Owner) throws -> R
  ) async throws -> R {
    try take()
    return try body(owner)
  }
}

extension CaptureError {
  static var requestCancelled: CaptureError {
    CaptureError(.cancelled, "the request was cancelled")
  }
}
