package import Glibc

/// The processes of this machine.
package enum SystemProcess {
  /// Whether there is a process with this id, also if it belongs to another user.
  package static func isRunning(_ id: pid_t) -> Bool {
    // Zero and negative numbers are groups of processes.
    id > 0 && (kill(id, 0) == 0 || errno == EPERM)
  }

  /// Whether this process has a terminal, which sends SIGHUP when it closes. Services have none.
  package static var hasTerminal: Bool {
    (try? FileDescriptor("/dev/tty", O_RDONLY | O_NOCTTY)) != nil
  }

  /// Whether this process ignores the signal, as SIGHUP under `nohup`, so that the program goes on
  /// when its terminal closes.
  package static func ignores(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    let (handler, ignoring) = unsafe (
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self),
      unsafeBitCast(SIG_IGN, to: Int.self)
    )
    return handler == ignoring
  }
}
