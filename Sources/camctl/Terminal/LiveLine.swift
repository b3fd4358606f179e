import Glibc
import OperatingSystem

/// The last line on the terminal, which is written again and again. It never takes more than one
/// line. Without a terminal it prints nothing.
final class LiveLine: Sendable {
  /// Makes the text for this many columns.
  typealias Content = @Sendable (Int) -> String

  private struct State {
    var content: Content?
    var lastShown: ContinuousClock.Instant?
    var isOnScreen = false
  }

  /// There is one terminal, so there is one line.
  static let shared = LiveLine()
  private static let interval = Duration.milliseconds(100)

  private let isPossible = isatty(STDERR_FILENO) == 1 && Style.knowsEscapes
  private let state = Mutex(State())

  private init() {}

  /// Shows the line.
  /// - Parameter isUrgent: If false, it is not shown within 0.1 s of the last time.
  func show(isUrgent: Bool = false, _ content: @escaping Content) {
    guard isPossible else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      if !isUrgent, let last = state.lastShown, now - last < Self.interval { return }
      state.lastShown = now
      state.content = content
      draw(&state)
    }
  }

  /// Shows the line again, in the terminal's present size.
  func redraw() {
    state.withLock { draw(&$0) }
  }

  /// Writes other text in place of the line, and the line below it.
  func writing(_ write: () -> Void) {
    state.withLock { state in
      if state.isOnScreen { erase(&state) }
      write()
      draw(&state)
    }
  }

  /// Removes the line for good.
  func end() {
    state.withLock { state in
      if state.isOnScreen { erase(&state) }
      state.content = nil
    }
  }

  private func draw(_ state: inout State) {
    guard let content = state.content else { return }
    // The last columns stay free: some terminals wrap when the last one is filled, and the terminal
    // itself adds "^C".
    let columns = max(1, (TerminalSize(of: STDERR_FILENO)?.columns ?? 80) - 3)
    let text = ShownText.prefix(ShownText.printable(content(columns)), columns: columns)
    StandardError.write("\r\u{1B}[2K" + text)
    state.isOnScreen = true
  }

  private func erase(_ state: inout State) {
    StandardError.write("\r\u{1B}[2K")
    state.isOnScreen = false
  }
}
