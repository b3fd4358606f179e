import Dispatch
import OperatingSystem

extension EventLoop {
  /// Runs `body` on the loop's thread and blocks until it returns.
  ///
  /// Only a thread that may block calls this, such as a thread for slow work. The loop itself must
  /// not, and neither must another loop that others wait for.
  package func performAndWait<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
    precondition(!isCurrent, "\(name) would wait for itself")
    let answer = Answer<R>()
    perform { answer.give(body()) }
    return answer.take()
  }

  /// Runs `body` on the loop's thread and blocks until it has given an answer, which it must do
  /// once, at any time. For threads that may block.
  package func performAndWait<R: Sendable>(
    _ body: @escaping @Sendable (_ answer: @escaping @Sendable (R) -> Void) -> Void
  ) -> R {
    precondition(!isCurrent, "\(name) would wait for itself")
    let answer = Answer<R>()
    perform { body { answer.give($0) } }
    return answer.take()
  }

  /// Runs `body` on the loop's thread and suspends the caller until it is done.
  package func run<R: Sendable, E: Error>(
    _ body: @escaping @Sendable () throws(E) -> R
  ) async throws(E) -> R {
    let result: Result<R, E> = await withCheckedContinuation { continuation in
      perform {
        do throws(E) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}

private final class Answer<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let given = DispatchSemaphore(value: 0)

  func give(_ answer: Value) {
    value.withLock { $0 = answer }
    given.signal()
  }

  func take() -> Value {
    given.wait()
    guard let answer = value.withLock({ $0 }) else {
      preconditionFailure("an answer was announced and not given")
    }
    return answer
  }
}
