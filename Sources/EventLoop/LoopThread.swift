import CLinux
import Glibc
import OperatingSystem
import struct Synchronization.Atomic

/// The thread of a loop. It is started once and joined once.
struct LoopThread: ~Copyable, Sendable {
  /// The thread that runs the loop. 0 before and after, because the system reuses thread numbers.
  private let identity = Atomic<pthread_t>(0)
  private let handle = Mutex<pthread_t?>(nil)

  /// Whether the caller is on this thread.
  var isCurrent: Bool { identity.load(ordering: .relaxed) == pthread_self() }

  /// Starts the thread, which calls `loop.run()` and holds the loop until that returns.
  /// - Returns: Whether the system had a thread left.
  func start(_ loop: EventLoop) -> Bool {
    guard let thread = SystemThread.start({ loop.run() }) else { return false }
    handle.withLock { $0 = thread }
    return true
  }

  /// Called on the thread itself before anything else.
  func didStart(name: String, slices: TimeSlice) {
    identity.store(pthread_self(), ordering: .relaxed)
    unsafe CLinux_setThreadName(name)
    slices.apply()
  }

  /// Called on the thread itself after everything else.
  func willEnd() {
    identity.store(0, ordering: .relaxed)
  }

  /// Waits for the thread's end. It may be called more than once, and from several threads.
  func join() {
    handle.withLock { handle in
      guard let thread = handle else { return }
      pthread_join(thread, nil)
      handle = nil
    }
  }
}

/// Why a loop could not be started.
package struct LoopShortage: Error, Sendable {
  /// What the system has none left of.
  package enum Missing: Sendable {
    case thread, descriptor
  }

  package var name: String
  package var what: Missing

  package init(name: String, what: Missing) {
    self.name = name
    self.what = what
  }

  package var message: String {
    switch what {
    case .thread:
      "the thread '\(name)' cannot be started: allow more threads and memory (ulimit -u and -v, TasksMax), "
        + "or use fewer cameras"
    case .descriptor:
      "the thread '\(name)' needs a descriptor and none is left: raise the limit of open files "
        + "(ulimit -n, LimitNOFILE), or use fewer cameras"
    }
  }
}
