import Dispatch
import OperatingSystem

/// What has to be undone, newest first: one way out for a stop and for a start that failed
/// half-way.
final class Teardown: Sendable {
  private let steps = Mutex<[@Sendable () async -> Void]>([])

  func add(_ step: @escaping @Sendable () async -> Void) {
    steps.withLock { $0.append(step) }
  }

  /// Adds a step that waits, for a thread that may.
  func addBlocking(_ step: @escaping @Sendable () -> Void) {
    add {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          step()
          continuation.resume()
        }
      }
    }
  }

  /// Undoes everything; a second call finds nothing left.
  func run() async {
    let steps = steps.withLock { steps in
      defer { steps = [] }
      return steps
    }
    for step in steps.reversed() { await step() }
  }
}
