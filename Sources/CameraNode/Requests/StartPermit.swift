import Capture
import EventLoop
import OperatingSystem

/// Decides once whether the work for a request begins. Until then the request can be cancelled, and
/// its deadline can pass.
final class StartPermit: Sendable {
  private enum State { case open, used, refused(CaptureError) }

  private let deadline: MonotonicTime
  private let state = Mutex(State.open)

  init(until deadline: MonotonicTime) {
    self.deadline = deadline
  }

  /// Prevents the work; returns false when it has begun already. Can be called on any thread.
  /// - Parameter error: What ``take()`` throws then. The first call counts.
  func cancel(with error: CaptureError = .requestCancelled) -> Bool {
    state.withLock { state in
      if case .used = state { return false }
      if case .open = state { state = .refused(error) }
      return true
    }
  }

  /// Prevents the work while that is possible.
  /// - Parameter onLateCancel: Cancels what has begun; returns false if it cannot.
  func interruption(orElse onLateCancel: @escaping () -> Bool = { false }) -> Interruption {
    Interruption(
      onCancel: { self.cancel() || onLateCancel() },
      onStop: { _ = self.cancel(with: .nodeStops) })
  }

  /// Takes the permit. Called on the thread that is about to do the work.
  /// - Throws: The error of ``cancel(with:)``, or `deadlineExceeded`, when the work must not begin.
  func take() throws(CaptureError) {
    let refusal = state.withLock { state -> CaptureError? in
      if case .refused(let error) = state { return error }
      state = .used
      return nil
    }
    if let refusal { throw refusal }
    guard MonotonicTime.now < deadline else { throw .timeIsOver }
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

  static var clientIsGone: CaptureError {
    CaptureError(.cancelled, "the client that asked has gone")
  }

  static var timeIsOver: CaptureError {
    CaptureError(
      .deadlineExceeded,
      "the request's time was over before it could be begun, and nothing was done: wait longer")
  }
}
