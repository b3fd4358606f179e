import Dispatch
package import EventLoop

extension EventLoop {
  /// Runs `body` on the loop's thread and returns its result.
  package func run<R: Sendable, E: Error>(
    _ body: @escaping @Sendable () throws(E) -> R
  ) async throws(E) -> R {
    let result: Result<R, E> = await withCheckedContinuation { continuation in
      perform { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
  }

  /// Runs `body` while the loop's thread is blocked, as by a slow disk.
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
