import OperatingSystem

/// Whether a connection is open, and the callers that wait for it to be closed.
final class BusClosing: Sendable {
  private enum State {
    case open
    case closing([CheckedContinuation<Void, Never>])
    case closed
  }

  private let state = Mutex(State.open)

  /// Begins to close.
  /// - Returns: Whether the caller is the first, who closes the connection.
  func begin() -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .closing([])
      return true
    }
  }

  /// Resumes all callers that wait.
  func finish() {
    let waiting = state.withLock { state in
      defer { state = .closed }
      guard case .closing(let waiting) = state else { return [CheckedContinuation<Void, Never>]() }
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the connection is closed.
  func finished() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        guard case .closing(let waiting) = state else { return true }
        state = .closing(waiting + [continuation])
        return false
      }
      if isClosed { continuation.resume() }
    }
  }
}
