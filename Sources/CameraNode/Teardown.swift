import Glibc
import OperatingSystem

/// The steps that undo a start, run from the newest to the oldest. Both a stop and a start that
/// failed half-way use them.
final class Teardown: Sendable {
  private let steps = Mutex<[@Sendable () async -> Void]>([])

  func add(_ step: @escaping @Sendable () async -> Void) {
    steps.withLock { $0.append(step) }
  }

  /// Adds a step that blocks its thread. It gets a thread of its own; where the system has none
  /// left, the caller of ``run()`` blocks.
  func addBlocking(_ step: @escaping @Sendable () -> Void) {
    add {
      await withCheckedContinuation { continuation in
        let work: @Sendable () -> Void = {
          step()
          continuation.resume()
        }
        guard let thread = SystemThread.start(work) else { return work() }
        pthread_detach(thread)
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
