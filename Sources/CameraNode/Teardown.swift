import Dispatch
import OperatingSystem

/// The steps that undo a start, run from the newest to the oldest. Both a stop and a start that
/// failed half-way use them.
final class Teardown: Sendable {
  private let steps = Mutex<[@Sendable () async -> Void]>([])

  func add(_ step: @escaping @Sendable () async -> Void) {
    steps.withLock { $0.append(step) }
  }

  /// Adds a step that blocks its thread. It runs outside of Swift's thread pool.
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

  /// Runs and removes all steps. A second call does nothing.
  func run() async {
    let steps = steps.withLock { steps in
      defer { steps = [] }
      return steps
    }
    for step in steps.reversed() { await step() }
  }
}
