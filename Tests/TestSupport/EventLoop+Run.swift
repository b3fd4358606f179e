import Dispatch
package import EventLoop

extension EventLoop {
  /// The result of `body`, run on the loop's thread.
  package func run<R: Sendable, E: Error>(
    _ body: @escaping @Sendable () throws(E) -> R
  ) async throws(E) -> R {
    let result: Result<R, E> = await withCheckedContinuation { continuation in
      perform { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
  }

  /// Does something while the loop's thread is held up, as by a slow disk.
  package func whileBlocked<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    let (blocked, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    perform {
      blocked.signal()
      released.wait()
    }
    blocked.wait()
    defer { released.signal() }
    try body()
  }
}
