import CLinux
import Glibc
import Imaging
import OperatingSystem

/// What the process does that encodes photos: one job after the other, as they come in over its
/// standard input. That is a socket, over which the files go back. `HEIFEncoding` has its code.
package enum EncodingService {
  /// The arguments with which `camerad` does this.
  package static let arguments = ["encode-photos"]

  /// The exit status of a process that has no threads for the encoder.
  package static let noThreads = EX_TEMPFAIL

  /// How long the process waits for a job before it ends, so that it takes no memory between
  /// photos.
  package static let idleTime: Duration = .seconds(60)
}

/// A process that encodes photos, with the connection to it.
final class EncodingProcess: Sendable {
  let socket: JobSocket
  /// Nil after its end was seen: then another process may have the number.
  private let id: Mutex<pid_t?>

  /// Starts a program. It has a socket as its standard input, the standard error of this process,
  /// and no other descriptor.
  /// - Throws: `encoderUnavailable` if the system has no process or descriptor left; `encoderLost`
  ///   for a program that cannot be started.
  init(_ program: String, _ arguments: [String]) throws(ImagingError) {
    do throws(SystemError) {
      var ends: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      try systemCall("socketpair") { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
      socket = JobSocket(owning: ends[0])
      let other = JobSocket(owning: ends[1])
      id = Mutex(try Self.start(program, arguments, input: other.descriptor))
    } catch {
      let isTemporary = [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(error.errno)
      throw ImagingError(
        isTemporary ? .encoderUnavailable : .encoderLost,
        "the process that encodes photos cannot start: \(error)")
    }
  }

  deinit { _ = end() }

  var processID: pid_t? { id.withLock { $0 } }

  /// Kills the process. Its job then fails.
  func kill() {
    id.withLock { id in
      if let id { _ = Glibc.kill(id, SIGKILL) }
    }
  }

  /// How a process ended.
  struct End {
    /// A clause without its subject, such as "was ended by SIGSEGV".
    let words: String
    /// Whether it had no thread for the encoder.
    let lacksThreads: Bool
  }

  /// Kills the process unless it has ended already.
  /// - Returns: Nil if it is not known how it ended.
  func end() -> End? {
    id.withLock { id in
      guard let process = id else { return nil }
      id = nil
      // A process that is ending keeps its status.
      _ = Glibc.kill(process, SIGKILL)
      var status: Int32 = 0
      let result = try? systemCall("waitpid") { unsafe waitpid(process, &status, 0) }
      guard result == process else { return nil }
      return End(
        words: Self.words(status),
        lacksThreads: status & 0x7f == 0 && status >> 8 & 0xff == EncodingService.noThreads)
    }
  }

  private static func words(_ status: Int32) -> String {
    let signal = status & 0x7f
    guard signal != 0 else { return "ended with status \(status >> 8 & 0xff)" }
    let name = unsafe CLinux_signalName(signal).map { unsafe "SIG" + String(cString: $0) }
    return "was ended by \(name ?? "signal \(signal)")"
  }

  private static func start(
    _ program: String, _ arguments: [String], input: Int32
  ) throws(SystemError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
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
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let error = unsafe posix_spawn(&process, program, &actions, &attributes, &words, environ)
    guard error == 0 else { throw SystemError(errno: error, operation: "start \(program)") }
    return process
  }
}
