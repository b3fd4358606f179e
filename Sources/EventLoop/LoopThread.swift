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

  /// Starts the thread, which calls `loop.run()` and holds the loop until that returns. It blocks
  /// all signals, which go to the main thread instead, except those that report its own faults.
  func start(_ loop: EventLoop) {
    var blocked = sigset_t()
    var previous = sigset_t()
    unsafe sigfillset(&blocked)
    for fault in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] {
      unsafe sigdelset(&blocked, fault)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let loopReference = unsafe Unmanaged.passRetained(loop).toOpaque()
    let error = unsafe pthread_create(
      &thread,
      nil,
      { loopReference in
        guard let loopReference = unsafe loopReference else { return nil }
        unsafe Unmanaged<EventLoop>.fromOpaque(loopReference).takeRetainedValue().run()
        return nil
      },
      loopReference
    )
    precondition(
      error == 0,
      "the thread of the event loop '\(loop.name)' cannot be started: raise the limit of threads (ulimit -u)"
    )
    handle.withLock { $0 = thread }
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
