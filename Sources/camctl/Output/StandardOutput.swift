import Glibc
import OperatingSystem

/// The standard output. Every write is complete and unbuffered.
enum StandardOutput {
  /// Whether it is a terminal.
  static let isTerminal = isatty(STDOUT_FILENO) == 1
  private static let hasColours = Style.isWanted(on: STDOUT_FILENO)

  /// The width of the terminal at present; nil if it is none.
  static var columns: Int? { TerminalSize(of: STDOUT_FILENO)?.columns }

  /// Writes words for people. On a terminal that is too narrow they are broken between words.
  static func write(line: String, style: Style = .plain) {
    let text = ShownText.printable(line)
    for part in columns.map({ ShownText.wrapped(text, columns: $0, indent: 2) }) ?? [text] {
      write(painted: paint(part, style))
    }
  }

  /// Writes a line that is ready for the terminal.
  static func write(painted line: String) {
    write(Array((line + "\n").utf8))
  }

  /// Begins a text that takes the place of the one before: on an empty terminal, and otherwise
  /// behind an empty line.
  /// - Parameter isFirst: Whether there is none before.
  static func beginPage(isFirst: Bool) {
    if isTerminal, Style.knowsEscapes {
      write(Array("\u{1B}[2J\u{1B}[H".utf8))
    } else if !isFirst {
      write(painted: "")
    }
  }

  /// The text in a style, if there are colours.
  static func paint(_ text: String, _ style: Style) -> String {
    hasColours ? style.paint(text) : text
  }

  static func write(_ bytes: [UInt8]) {
    LiveLine.shared.writing {
      guard writeAll(bytes, to: STDOUT_FILENO) else {
        // The reader has closed the pipe, so there is nothing left to do.
        exit(EXIT_SUCCESS)
      }
    }
  }
}

/// The standard error, for errors, notes and live lines.
enum StandardError {
  private static let hasColours = Style.isWanted(on: STDERR_FILENO)

  /// Writes words for people, in one line unless a terminal is too narrow for it.
  static func write(line: String, style: Style = .plain) {
    let text = ShownText.printable(line)
    let columns = TerminalSize(of: STDERR_FILENO)?.columns
    let parts = columns.map { ShownText.wrapped(text, columns: $0, indent: 2) } ?? [text]
    LiveLine.shared.writing {
      for part in parts { write((hasColours ? style.paint(part) : part) + "\n") }
    }
  }

  /// Writes a text as it is.
  static func write(_ text: String) {
    _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// False when the reader has closed the pipe.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  let path = descriptor == STDOUT_FILENO ? "standard output" : "standard error"
  return unsafe (try? FileDescriptor.write(bytes.span.bytes, to: descriptor, at: path)) != nil
}
