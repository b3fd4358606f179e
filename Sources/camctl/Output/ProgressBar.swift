/// A progress bar on the terminal.
struct ProgressBar {
  private static let width = 30

  private let title: String
  private var line: LiveLine

  init(_ title: String, isWanted: Bool) {
    self.title = title
    line = LiveLine(isWanted: isWanted)
  }

  mutating func show(_ fraction: Double, _ note: @autoclosure () -> String) {
    let title = title
    let filled = Int(min(max(fraction, 0), 1) * Double(Self.width))
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    line.show("\(title) [\(bar)] \(note())")
  }

  func clear() {
    line.clear()
  }
}
