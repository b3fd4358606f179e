import Glibc

/// The standard output or the standard error. Every write is complete and unbuffered.
package enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Whether it is a terminal.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes all of `bytes`.
  ///
  /// If the reader of a pipe has gone, the process ends silently by SIGPIPE, as people expect of
  /// `program | head`. Only if the process ignores SIGPIPE does this throw `EPIPE`.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    do {
      unsafe try FileDescriptor.write(bytes.span.bytes, to: rawValue, at: name)
    } catch {
      if error.errno == EPIPE { Self.endByClosedPipe() }
      throw error
    }
  }

  /// Finds out before any work is done whether the stream is closed.
  /// - Throws: `EBADF` if the stream was closed when the program started, or is open for reading
  ///   only.
  package func requireOpen() throws(SystemError) {
    let flags = try systemCall("write \(name)") { fcntl(rawValue, F_GETFL) }
    guard flags & O_ACCMODE != O_RDONLY else {
      throw SystemError(errno: EBADF, operation: "write \(name)")
    }
  }

  /// Ends the process by SIGPIPE. It returns if the process ignores the signal.
  ///
  /// Most threads block the signal, so that the kernel could not deliver it where the write failed.
  package static func endByClosedPipe() {
    var pipe = sigset_t()
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe pthread_sigmask(SIG_UNBLOCK, &pipe, nil)
    raise(SIGPIPE)
  }

  /// Makes a write to a closed pipe fail with `EPIPE` instead of ending the process, for programs
  /// that have to stop other things first.
  package static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Undoes ``ignoreClosedPipes()``.
  package static func noticeClosedPipes() {
    signal(SIGPIPE, SIG_DFL)
  }

  private var name: String { self == .output ? "the standard output" : "the standard error" }
}

extension SystemError {
  /// What to tell people when the standard output cannot be written: one sentence with the remedy.
  package var outputSentence: String {
    switch errno {
    case EBADF: "the standard output is closed: send it to a file, or to /dev/null"
    case ENOSPC, EDQUOT, EFBIG:
      "the standard output cannot be written (\(reason)): free some room, or send it elsewhere"
    default: "the standard output cannot be written (\(reason)): send it elsewhere"
    }
  }
}
