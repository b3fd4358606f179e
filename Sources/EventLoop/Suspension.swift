public import OperatingSystem

// Sendable: touched on the loop's thread alone.
/// One caller that waits for something on a loop. Whatever comes first ends the wait: the event, the cancellation
/// of the caller's task, or the stop of the loop.
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

  /// Sends the caller on: what it waited for has happened. On the loop's thread; once it has ended, it does nothing.
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

// Sendable: touched on the loop's thread alone; who comes from outside calls `checkIsolated` first.
/// Who waits on a loop.
final class SuspensionList: @unchecked Sendable {
  private var members: [ObjectIdentifier: Suspension] = [:]
  /// Whether the loop is stopping, which would keep a caller for ever.
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
  /// Suspends the caller until the suspension is resumed, on the loop's thread.
  ///
  /// - Parameter arrange: Called on the loop's thread. It arranges that `resume()` is called later and returns what
  ///   undoes that, which runs when the wait ends, whatever ended it; or nil if there is nothing to wait for.
  /// - Throws: `CancellationError` when the task is cancelled or the loop stops.
  package func suspend(
    _ arrange: @escaping @Sendable (Suspension) -> (() -> Void)?
  ) async throws(CancellationError) {
    let suspension = Suspension(on: self)
    // A resumed continuation passes through the task's preferred executor before it returns to its actor: without
    // this, through the cooperative pool, two hops between threads.
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

  /// Waits until the descriptor is ready. From any isolation.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or the loop stops.
  public func ready(_ descriptor: Int32, for interest: Interest) async throws(CancellationError) {
    try await suspend { suspension in
      let watch = self.watch(descriptor, for: interest) { suspension.resume() }
      return { watch.cancel() }
    }
  }

  /// Waits until the moment has come. From any isolation.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or the loop stops.
  public func sleep(until deadline: MonotonicTime) async throws(CancellationError) {
    try await suspend { suspension in
      let timer = self.schedule(at: deadline) { suspension.resume() }
      return { timer.cancel() }
    }
  }
}
