import OperatingSystem

/// Collects events from any thread in their order, so that tests wait for events and not for time.
package final class Recorded<Event: Sendable>: Sendable {
  private struct Waiter {
    let isDone: @Sendable ([Event]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var events: [Event] = []
    var waiters: [Int: Waiter] = [:]
    var waits = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var events: [Event] { state.withLock { $0.events } }

  package func add(_ event: Event) {
    let ready = state.withLock { state in
      state.events.append(event)
      let events = state.events
      let ready = state.waiters.filter { $0.value.isDone(events) }
      for number in ready.keys { state.waiters[number] = nil }
      return ready.values.map(\.continuation)
    }
    for continuation in ready { continuation.resume() }
  }

  /// Waits until the events satisfy a condition, or until the test is cancelled. Tests are
  /// cancelled only when their time is up, which fails them.
  package func wait(until isDone: @escaping @Sendable ([Event]) -> Bool) async {
    let number = state.withLock { state in
      state.waits += 1
      return state.waits
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          // A cancellation after this finds the waiter.
          guard !isDone(state.events), !Task.isCancelled else { return true }
          state.waiters[number] = Waiter(isDone: isDone, continuation: continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
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
  /// - Throws: `CancellationError` when the test is cancelled.
  package func first<R: Sendable>(
    _ choose: @escaping @Sendable (Event) -> R?
  ) async throws(CancellationError) -> R {
    await wait { $0.contains { choose($0) != nil } }
    guard let found = events.lazy.compactMap(choose).first else { throw CancellationError() }
    return found
  }
}

extension Recorded<Void> {
  /// Adds an event that has no value and is only counted.
  package func add() { add(()) }
}
