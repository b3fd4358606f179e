import OperatingSystem

/// Where a feed puts the events for one reader: a bounded number of them, and always the last word.
final class EventMailbox: Sendable {
  private struct State {
    var waiting = 0
    /// Whether the feed was told that there is no room.
    var isFull = false
  }

  private let limit: Int
  private let state = Mutex(State())
  private let continuation: AsyncStream<EventFeed.Outcome>.Continuation

  /// - Parameters:
  ///   - limit: How many events may wait.
  ///   - continuation: Of a stream without a bound of its own.
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

  /// The reader took one.
  /// - Returns: Whether the feed, which was told that there is no room, is to go on.
  func took() -> Bool {
    state.withLock { state in
      state.waiting -= 1
      // Not for every single one.
      guard state.isFull, state.waiting <= limit / 2 else { return false }
      state.isFull = false
      return true
    }
  }
}
