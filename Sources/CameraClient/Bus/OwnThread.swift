import Dispatch
import Glibc
package import OperatingSystem

import struct Synchronization.Atomic

/// Runs calls that block, each on a thread of its own, so that no task's thread waits for a disk or
/// for another thread.
package enum OwnThread {
  /// Runs `body` on a new thread and suspends the caller until it has returned.
  package static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    let order = Handover()
    let result = await withCheckedContinuation { continuation in
      start {
        let result = body()
        order.give()
        continuation.resume(returning: result)
      }
    }
    order.take()
    return result
  }

  /// Runs `body`, which reads or writes a file, on a new thread. A cancelled task interrupts it.
  package static func run<R: Sendable>(
    _ interrupter: Interrupter,
    _ body: @escaping @Sendable () throws(SystemError) -> R
  ) async throws(SystemError) -> R {
    let result = await withTaskCancellationHandler {
      await run { () -> Result<R, SystemError> in
        do throws(SystemError) {
          return .success(try body())
        } catch {
          return .failure(error)
        }
      }
    } onCancel: {
      interrupter.interrupt()
    }
    return try result.get()
  }

  /// Runs `body` in a task and blocks the caller until it has returned.
  package static func wait<R: Sendable>(_ body: @escaping @Sendable () async -> R) -> R {
    let (end, result) = (DispatchSemaphore(value: 0), Outcome<R>())
    Task {
      let value = await body()
      result.value.withLock { $0 = value }
      end.signal()
    }
    end.wait()
    guard let value = result.value.withLock({ $0 }) else {
      preconditionFailure("the task has ended without its result")
    }
    return value
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Starts a thread for `body` and returns at once. Where the system has no thread left, Dispatch
  /// lends one of its own.
  static func start(_ body: @escaping @Sendable () -> Void) {
    if let thread = SystemThread.start(body) {
      pthread_detach(thread)
    } else {
      DispatchQueue.global().async(execute: body)
    }
  }
}

/// Shows the thread sanitizer that a result is written before it is read.
///
/// The continuation orders the two already, but the sanitizer cannot see that where it is resumed
/// before its task waits.
final class Handover: Sendable {
  private let isGiven = Atomic(false)

  func give() {
    isGiven.store(true, ordering: .releasing)
  }

  func take() {
    _ = isGiven.load(ordering: .acquiring)
  }
}
