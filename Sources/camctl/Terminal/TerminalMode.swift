import Glibc
import OperatingSystem

/// The mode of the user's terminal while it answers questions. Its answers come as if they were
/// typed, so they must be read at once and not be shown.
///
/// Every end of the program calls ``restore()``.
final class TerminalMode: Sendable {
  private struct State {
    /// The mode before; nil while it is in force.
    var original: termios?
    /// Whether a question has no answer yet.
    var isAsking = false
    /// Whether a picture is half written.
    var isDrawing = false
  }

  /// There is one terminal.
  static let shared = TerminalMode()
  /// Ends a sixel picture, colours and the hiding of the cursor.
  private static let plain = Array("\u{1B}\\\u{1B}[0m\u{1B}[?25h".utf8)
  /// How long an answer that is under way may take at the end.
  private static let lastWait = Duration.milliseconds(500)

  private let state = Mutex(State())

  private init() {}

  /// Makes keys come at once and unseen.
  ///
  /// Ctrl-C works as before. Ctrl-Z and Ctrl-\ do not, because they would leave the terminal so.
  func readAtOnce() throws(SystemError) {
    var mode = termios()
    try systemCall("tcgetattr") { unsafe tcgetattr(STDIN_FILENO, &mode) }
    let original = mode
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-C otherwise throws away parts of what is being written.
    mode.c_lflag |= tcflag_t(NOFLSH)
    unsafe withUnsafeMutableBytes(of: &mode.c_cc) { keys in
      // Reading returns what there is.
      for key in [VMIN, VTIME, VQUIT, VSUSP] { unsafe keys[Int(key)] = 0 }
    }
    state.withLock { if $0.original == nil { $0.original = original } }
    try systemCall("tcsetattr") { unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) }
  }

  /// Restores the mode and ends a picture that is half written. Late answers are thrown away, so
  /// that no shell reads them.
  func restore() {
    // Until all is done the state stays, because another thread may be about to end the program.
    defer { state.withLock { $0 = State() } }
    var last = state.withLock(\.self)
    if last.isDrawing { writeIfPossible(Self.plain) }
    guard var original = last.original else { return }
    if last.isAsking {
      let end = ContinuousClock.now + Self.lastWait
      var answer: [UInt8] = []
      while last.isAsking, ContinuousClock.now < end {
        usleep(2000)
        answer += readWhatIsThere()
        last.isAsking = TerminalAnswers(answer) == nil
      }
      tcflush(STDIN_FILENO, TCIFLUSH)
    }
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &original)
  }

  /// Runs `write`, after whose interruption the terminal would not be usable.
  func drawing<E: Error>(_ write: () throws(E) -> Void) throws(E) {
    state.withLock { $0.isDrawing = true }
    defer { state.withLock { $0.isDrawing = false } }
    try write()
  }

  /// Notes that a question will be written to the terminal.
  func willAsk() { state.withLock { $0.isAsking = true } }

  /// Waits for the answers to the question that was written, up to the answer to
  /// ``TerminalAnswers/lastQuestion``.
  /// - Returns: Nil if they do not come in time, and when the task is cancelled.
  func answers(within limit: Duration) async -> TerminalAnswers? {
    let end = ContinuousClock.now + limit
    var bytes: [UInt8] = []
    while ContinuousClock.now < end, bytes.count < 1 << 16 {
      bytes += readWhatIsThere()
      if let answers = TerminalAnswers(bytes) {
        state.withLock { $0.isAsking = false }
        return answers
      }
      guard (try? await Task.sleep(for: .milliseconds(2))) != nil else { return nil }
    }
    return nil
  }

  private func readWhatIsThere() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  private func writeIfPossible(_ bytes: [UInt8]) {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&output, 1, 0) == 1 else { return }
    _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
  }
}
