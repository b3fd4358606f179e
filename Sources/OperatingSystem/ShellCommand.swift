import CLinux
import Glibc

/// A command that the shell runs, with some bytes as its standard input. What it prints goes to
/// this program's standard error.
package final class ShellCommand: Sendable {
  /// How a command ended.
  package enum End: Hashable, Sendable {
    case status(Int32)
    /// A signal ended it, of this name without SIG.
    case signal(String)
  }

  /// Nil after its end was seen: then another process may have the number.
  private let id: Mutex<Int32?>
  private let process: Int32

  /// Starts `sh -c COMMAND` in a group of processes of its own, so that its end can be theirs too.
  /// - Throws: If the system has no process or descriptor left.
  package init(_ command: String, input: [UInt8]) throws(SystemError) {
    let name = "input"
    let descriptor = try systemCall("memfd_create", at: name) {
      unsafe CLinux_memoryFile($0.pointer)
    }
    var file = FileDescriptor(path: name, rawValue: descriptor)
    try file.write(unsafe input.span.bytes)
    try systemCall("lseek") { lseek(descriptor, 0, SEEK_SET) }
    process = try Self.start(command, input: descriptor)
    id = Mutex(process)
    try file.close()
  }

  /// Ends the command and all that it has started, at once.
  package func kill() {
    id.withLock { id in
      if let id { _ = Glibc.kill(-id, SIGKILL) }
    }
  }

  /// Blocks the thread until the command has ended. Call it once.
  package func wait() -> End {
    var information = unsafe siginfo_t()
    // The number stays the command's until the second call.
    _ = try? systemCall("waitid") {
      unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT)
    }
    let status = id.withLock { id -> Int32 in
      var status: Int32 = 0
      _ = try? systemCall("waitpid") { unsafe waitpid(process, &status, 0) }
      id = nil
      return status
    }
    let signal = status & 0x7f
    guard signal != 0 else { return .status(status >> 8 & 0xff) }
    let name = unsafe CLinux_signalName(signal).map { unsafe String(cString: $0) }
    return .signal(name ?? "\(signal)")
  }

  private static func start(_ command: String, input: Int32) throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    unsafe CLinux_closeFrom(&actions, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // This thread may block all signals, and the process may ignore some.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    let shell = "/bin/sh"
    guard !command.utf8.contains(0) else {
      throw SystemError(errno: EINVAL, operation: "start \(shell)")
    }
    let texts = [shell, "-c", command]
    var words = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: Int32 = 0
    let error = unsafe posix_spawn(&process, shell, &actions, &attributes, &words, environ)
    guard error == 0 else { throw SystemError(errno: error, operation: "start \(shell)") }
    return process
  }
}
