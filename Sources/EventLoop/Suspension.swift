public import OperatingSystem

// Sendable: only the loop's thread uses it.
/// One caller that waits for something on a loop. The wait ends with the first of three things: the
/// event, the cancellation of the caller's task, or the stop of the loop.
package final class Suspension: @unchecked Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Bool, Never>, cleanUp: () -> Void)
    case ended
  }

  private var state = State.idle
  private unowned let loop: EventLoop

  fileprivate init(on loop: EventLoop) {
    self.loop = loop
  }

  /// Resumes the waiting caller, because the event has happened. Call it on the loop's thread. It
  /// does nothing after the wait has ended.
  package func resume() {
    end(happened: true)
  }

  fileprivate func begin(
    _ continuation: CheckedContinuation<Bool, Never>,
    _ arrange: (Suspension) -> (() -> Void)?
  ) {
    guard case .idle = state, !loop.suspensions.isClosed else {
      return continuation.resume(returning: false)
    }
    guard let cleanUp = arrange(self) else { return continuation.resume(returning: true) }
    state = .waiting(continuation, cleanUp: cleanUp)
    loop.suspensions.insert(self)
  }

  fileprivate func end(happened: Bool) {
    loop.checkIsolated()
    let state = self.state
    self.state = .ended
    guard case .waiting(let continuation, let cleanUp) = state else { return }
    loop.suspensions.remove(self)
    cleanUp()
    continuation.resume(returning: happened)
  }
}

// Sendable: only the loop's thread uses it; the public entry points call `checkIsolated` first.
/// The callers that wait on a loop.
final class SuspensionList: @unchecked Sendable {
  private var members: [ObjectIdentifier: Suspension] = [:]
  /// Whether the loop is stopping. A caller that began to wait now would never be resumed.
  fileprivate private(set) var isClosed = false

  fileprivate func insert(_ suspension: Suspension) {
    members[ObjectIdentifier(suspension)] = suspension
  }

  fileprivate func remove(_ suspension: Suspension) {
    members[ObjectIdentifier(suspension)] = nil
  }

  func cancelAll() {
    isClosed = true
    for suspension in members.values { suspension.end(happened: false) }
  }
}

extension EventLoop {
  /// Suspends the caller until the suspension is resumed on the loop's thread.
  ///
  /// - Parameter arrange: Called on the loop's thread. It arranges a later call of `resume()` and
  ///   returns a closure that undoes this arrangement and runs when the wait ends for any reason.
  ///   It returns nil if there is nothing to wait for.
  /// - Throws: `CancellationError` when the task is cancelled or the loop stops.
  package func suspend(
    _ arrange: @escaping @Sendable (Suspension) -> (() -> Void)?
  ) async throws(CancellationError) {
    let suspension = Suspension(on: self)
    // A resumed continuation passes through the task's preferred executor before it returns to its
    // actor. Without this preference that is the cooperative pool: two hops between threads.
    let happened = await withTaskExecutorPreference(self) {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          if isCurrent {
            suspension.begin(continuation, arrange)
          } else {
            perform { suspension.begin(continuation, arrange) }
          }
        }
      } onCancel: {
        _ = performUnlessStopped { suspension.end(happened: false) }
      }
    }
    guard happened else { throw CancellationError() }
  }

  /// Waits until the descriptor is ready. Call it from any isolation.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or the loop stops.
  public func ready(_ descriptor: Int32, for interest: Interest) async throws(CancellationError) {
    try await suspend { suspension in
      let watch = self.watch(descriptor, for: interest) { suspension.resume() }
      return { watch.cancel() }
    }
  }

  /// Waits until the deadline. Call it from any isolation.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or the loop stops.
  public func sleep(until deadline: MonotonicTime) async throws(CancellationError) {
    try await suspend { suspension in
      let timer = self.schedule(at: deadline) { suspension.resume() }
      return { timer.cancel() }
    }
  }
}

/// The first answer to somebody who waits. Later ones are ignored. Can be used on any thread.
package final class FirstAnswer<Value: Sendable, Failure: Error>: Sendable {
  private let continuation: Mutex<CheckedContinuation<Value, Failure>?>

  package init(_ continuation: CheckedContinuation<Value, Failure>) {
    self.continuation = Mutex(continuation)
  }

  package var isAwaited: Bool { continuation.withLock { $0 != nil } }

  package func give(_ result: Result<Value, Failure>) {
    let continuation = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    continuation?.resume(with: result)
  }
}
