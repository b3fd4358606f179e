package import Glibc

/// A thread of the operating system.
package enum SystemThread {
  /// Starts a thread that runs `body`. It blocks all signals, which go to the main thread instead,
  /// except those that report its own faults.
  /// - Returns: The thread, to be joined or detached; nil when the system has none left.
  package static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    var blocked = sigset_t()
    var previous = sigset_t()
    unsafe sigfillset(&blocked)
    for fault in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] {
      unsafe sigdelset(&blocked, fault)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    var thread = pthread_t()
    let error = unsafe pthread_create(
      &thread, nil,
      { work in
        guard let work = unsafe work else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work)
    guard error == 0 else {
      unsafe Unmanaged<Work>.fromOpaque(work).release()
      return nil
    }
    return thread
  }

  /// Lets this thread sleep until a moment.
  package static func sleep(until moment: MonotonicTime) {
    var time = timespec(
      tv_sec: Int(moment.nanoseconds / 1_000_000_000),
      tv_nsec: Int(moment.nanoseconds % 1_000_000_000))
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Whether the system has this many threads left now.
  ///
  /// Ask before calling a library that ends the process without its threads. Another process may
  /// take them in between.
  package static func areLeft(_ count: Int) -> Bool {
    let gate = Gate()
    // They wait for the lock, so that all of them are there at the same time.
    let threads = gate.lock.withLock { _ in
      (0..<count).compactMap { _ in start { gate.lock.withLock { _ in } } }
    }
    for thread in threads { pthread_join(thread, nil) }
    return threads.count == count
  }

  private final class Gate: Sendable {
    let lock = Mutex(())
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
