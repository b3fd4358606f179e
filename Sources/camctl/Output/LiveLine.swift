/// A line on the terminal that is written over and over; nothing where no person watches.
struct LiveLine {
  private static let interval = Duration.milliseconds(100)

  private let isShown: Bool
  private var lastShown: ContinuousClock.Instant?

  /// - Parameter isWanted: Whether it is shown at all, if there is a terminal.
  init(isWanted: Bool) {
    isShown = isWanted && StandardError.isTerminal
  }

  /// Shows the text, unless the last one is too fresh.
  mutating func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let lastShown, now - lastShown < Self.interval { return }
    lastShown = now
    StandardError.write("\r\u{1B}[2K" + text())
  }

  /// Takes the line away.
  func clear() {
    if isShown, lastShown != nil { StandardError.write("\r\u{1B}[2K") }
  }
}
