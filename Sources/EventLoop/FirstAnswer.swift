import OperatingSystem

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
