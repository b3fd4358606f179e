package import Glibc

/// A thread of the operating system.
package enum SystemThread {
  /// Starts a thread that runs `body`. It blocks all signals, which go to the main thread instead,
  /// except those that report its own faults.
  /// - Returns: the thread, to be joined or detached; nil when the system has none left.
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

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
