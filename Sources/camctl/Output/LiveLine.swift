/// A line on the terminal that is written again and again. Without a terminal it prints nothing.
struct LiveLine {
  private static let interval = Duration.milliseconds(100)

  private let isShown: Bool
  private var lastShown: ContinuousClock.Instant?

  /// - Parameter isWanted: Whether to show it where there is a terminal.
  init(isWanted: Bool) {
    isShown = isWanted && StandardError.isTerminal
  }

  /// Shows the text, unless the last one was shown less than 0.1 s ago.
  mutating func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let lastShown, now - lastShown < Self.interval { return }
    lastShown = now
    StandardError.write("\r\u{1B}[2K" + text())
  }

  /// Removes the line.
  func clear() {
    if isShown, lastShown != nil { StandardError.write("\r\u{1B}[2K") }
  }
}
