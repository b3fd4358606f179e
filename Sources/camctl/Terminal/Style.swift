import FoundationEssentials
import Glibc

/// How words look on a terminal: the numbers of its escape sequence (ECMA-48, SGR).
enum Style: String {
  case plain = ""
  case heading = "1"
  case faint = "2"
  case bad = "31"
  case good = "32"
  case warning = "33"

  /// Whether a descriptor leads to a terminal with colours, and the user wants them
  /// (https://no-color.org).
  static func isWanted(on descriptor: Int32) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(descriptor) == 1 && knowsEscapes && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Whether the terminal understands escape sequences.
  static let knowsEscapes: Bool = {
    let terminal = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return !terminal.isEmpty && terminal != "dumb"
  }()

  /// The text in this style.
  func paint(_ text: String) -> String {
    self == .plain ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }
}
