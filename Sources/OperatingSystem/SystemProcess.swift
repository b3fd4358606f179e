package import Glibc

/// The processes of this machine.
package enum SystemProcess {
  /// Whether there is a process with this id, also if it belongs to another user.
  package static func isRunning(_ id: pid_t) -> Bool {
    // Zero and negative numbers are groups of processes.
    id > 0 && (kill(id, 0) == 0 || errno == EPERM)
  }
}
