/// What a terminal says of itself (xterm's "Control Sequences").
struct TerminalAnswers {
  /// Asks for the size of the text area in pixels. Some terminals do not answer.
  static let sizeQuestion = "\u{1B}[14t"
  /// Asks for the primary device attributes, which every terminal answers. So nothing else needs
  /// to be waited for when this answer is there.
  static let lastQuestion = "\u{1B}[c"

  /// The largest width or height in pixels that is believed.
  private static let longestSide = 1 << 16

  /// Whether the terminal shows sixel graphics.
  let showsSixels: Bool
  /// The size of the text area in pixels, if the terminal told it.
  let pixels: (width: Int, height: Int)?

  /// The answers in what was read from a terminal; nil until the last one is complete.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let attributes = text.firstMatch(of: /\u{1B}\[\?([0-9;]*)c/) else { return nil }
    // The first number is the terminal's class.
    showsSixels = attributes.1.split(separator: ";").dropFirst().contains("4")
    let size = text.firstMatch(of: /\u{1B}\[4;([0-9]{1,5});([0-9]{1,5})t/)
    if let size, let height = Int(size.1), let width = Int(size.2),
      (1...Self.longestSide).contains(height), (1...Self.longestSide).contains(width)
    {
      pixels = (width, height)
    } else {
      pixels = nil
    }
  }
}
