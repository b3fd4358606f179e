import OperatingSystem

/// Collects events from any thread in their order, so that tests wait for events and not for time.
package final class Recorded<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var waiters: [(isDone: @Sendable ([Event]) -> Bool, resume: CheckedContinuation<Void, Never>)] =
      []
  }

  private let state = Mutex(State())

  package init() {}

  package var events: [Event] { state.withLock { $0.events } }

  package func add(_ event: Event) {
    let ready = state.withLock { state in
      state.events.append(event)
      let events = state.events
      let ready = state.waiters.filter { $0.isDone(events) }.map(\.resume)
      state.waiters.removeAll { $0.isDone(events) }
      return ready
    }
    for waiter in ready { waiter.resume() }
  }

  /// Waits until the events satisfy a condition.
  package func wait(until isDone: @escaping @Sendable ([Event]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard !isDone(state.events) else { return true }
        state.waiters.append((isDone, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  /// Waits until there are at least `count` events.
  /// - Returns: All events, which may be more.
  @discardableResult
  package func atLeast(_ count: Int) async -> [Event] {
    await wait { $0.count >= count }
    return events
  }

  /// Waits for the first past or future event for which `choose` returns a value.
  package func first<R: Sendable>(_ choose: @escaping @Sendable (Event) -> R?) async -> R {
    while true {
      if let found = events.lazy.compactMap(choose).first { return found }
      await wait { $0.contains { choose($0) != nil } }
    }
  }
}

extension Recorded<Void> {
  /// Adds an event that has no value and is only counted.
  package func add() { add(()) }
}
