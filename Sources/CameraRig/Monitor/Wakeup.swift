import OperatingSystem

/// Wakes one task that waits, also if it begins to wait only afterwards.
final class Wakeup: Sendable {
  private enum State {
    case quiet
    case rung
    case waited(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.quiet)

  /// Ends the wait, or the next one. Rings that nobody has heard count once.
  func ring() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard case .waited(let waiter) = state else {
        state = .rung
        return nil
      }
      state = .quiet
      return waiter
    }
    waiter?.resume()
  }

  /// Waits for a ring. It returns at once in a task that is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isRung = state.withLock { state in
          guard case .quiet = state else {
            state = .quiet
            return true
          }
          state = .waited(continuation)
          return false
        }
        if isRung { continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }
}
