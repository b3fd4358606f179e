/// A progress bar on the terminal.
struct ProgressBar {
  private static let width = 30

  private let title: String
  private let isWanted: Bool

  init(_ title: String, isWanted: Bool) {
    self.title = title
    self.isWanted = isWanted
  }

  /// - Parameters:
  ///   - note: What to say beside the bar.
  ///   - hint: What to say behind it if there is room.
  func show(_ fraction: Double, _ note: String, hint: String = "") {
    guard isWanted else { return }
    LiveLine.shared.show { [title] columns in
      let line = Self.line(title, fraction, note, columns)
      return ShownText.columns(line) + ShownText.columns(hint) <= columns ? line + hint : line
    }
  }

  func clear() {
    if isWanted { LiveLine.shared.end() }
  }

  /// The note matters most, then the bar, then the title.
  private static func line(
    _ title: String, _ fraction: Double, _ note: String, _ columns: Int
  ) -> String {
    let free = columns - ShownText.columns(note) - 3
    let isTitled = free - ShownText.columns(title) - 1 >= width
    let width = min(Self.width, isTitled ? Self.width : free)
    guard width >= 5 else { return note }
    let filled = Int(min(max(fraction, 0), 1) * Double(width))
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return (isTitled ? "\(title) " : "") + "[\(bar)] \(note)"
  }
}
