import OperatingSystem

/// The events that wait for one reader: a bounded number, and behind them always the failure that
/// ends the feed.
final class EventMailbox: Sendable {
  private struct State {
    var waiting = 0
    /// Whether the feed waits for room.
    var isFull = false
  }

  private let limit: Int
  private let state = Mutex(State())
  private let continuation: AsyncStream<EventFeed.Outcome>.Continuation

  /// - Parameters:
  ///   - limit: The most events that wait.
  ///   - continuation: The continuation of a stream without a bound of its own.
  init(limit: Int, _ continuation: AsyncStream<EventFeed.Outcome>.Continuation) {
    self.limit = limit
    self.continuation = continuation
  }

  /// - Returns: Whether there is room for another.
  func put(_ outcome: EventFeed.Outcome) -> Bool {
    let hasRoom = state.withLock { state in
      state.waiting += 1
      state.isFull = state.waiting >= limit
      return !state.isFull
    }
    continuation.yield(outcome)
    if case .failed = outcome { continuation.finish() }
    return hasRoom
  }

  /// Notes that the reader took an event.
  /// - Returns: Whether the feed waits for room and should go on.
  func took() -> Bool {
    state.withLock { state in
      state.waiting -= 1
      // Half of the room at a time, because waking the feed for each event would cost more.
      guard state.isFull, state.waiting <= limit / 2 else { return false }
      state.isFull = false
      return true
    }
  }
}
