import Glibc
import OperatingSystem

import struct Synchronization.Atomic

/// The steps that undo a start, run from the newest to the oldest. Both a stop and a start that
/// failed half-way use them.
final class Teardown: Sendable {
  private let steps = Mutex<[@Sendable () async -> Void]>([])
  private let leftThreads: LeftThreads

  /// - Parameter whole: The teardown that this is a step of.
  init(in whole: Teardown? = nil) { leftThreads = whole?.leftThreads ?? LeftThreads() }

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

  /// Adds the end of a thread, for which it waits.
  func addThread(_ end: @escaping @Sendable () -> Void) {
    addBlocking { [leftThreads] in if !leftThreads.isLeft { end() } }
  }

  /// Leaves all threads to the end of the process, because one of them waits for a driver that does
  /// not come back: nothing can end it, and when it goes on it uses the others.
  func leaveThreads() { leftThreads.leave() }

  /// Runs and removes all steps. A second call does nothing.
  func run() async {
    let steps = steps.withLock { steps in
      defer { steps = [] }
      return steps
    }
    for step in steps.reversed() { await step() }
  }
}

private final class LeftThreads: Sendable {
  private let state = Atomic(false)

  var isLeft: Bool { state.load(ordering: .relaxed) }

  func leave() { state.store(true, ordering: .relaxed) }
}
