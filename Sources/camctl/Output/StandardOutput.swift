import Glibc
import OperatingSystem

/// The standard output. Every write is complete and unbuffered. A line that cannot be written ends
/// the program with an error.
enum StandardOutput {
  /// Whether it is a terminal.
  static let isTerminal = StandardStream.output.isTerminal
  private static let hasColours = Style.isWanted(on: STDOUT_FILENO)

  /// The size of the terminal at present; nil if it is none, or does not know its size.
  static var terminalSize: TerminalSize? { TerminalSize(of: STDOUT_FILENO) }

  /// The width of the terminal at present; nil if it is none.
  static var columns: Int? { terminalSize?.columns }

  /// Writes words for people. On a terminal that is too narrow they are broken between words.
  static func write(line: String, style: Style = .plain) {
    let text = ShownText.printable(line)
    for part in columns.map({ ShownText.wrapped(text, columns: $0, indent: 2) }) ?? [text] {
      write(painted: paint(part, style))
    }
  }

  /// Writes where a file is, and words about it. The path can be copied: to a program it goes as it
  /// is, and on a terminal as a shell takes it where the user's locale cannot print it.
  static func write(path: String, _ words: String? = nil) {
    let words = words.map { ": \($0)" } ?? ""
    guard columns != nil else { return write(painted: path + ShownText.printable(words)) }
    let isPrintable = ShownText.printable(path) == path
    write(line: (isPrintable ? path : quoted(path)) + words)
  }

  /// The text as one word in ASCII, in the form `$'…'` of bash, zsh and POSIX 2024.
  private static func quoted(_ text: String) -> String {
    let characters = text.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      return switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(character)"
      case 0x20..<0x7f: "\(character)"
      // Octal, with three digits.
      default: "\\" + String(0o1000 | Int(byte), radix: 8).dropFirst()
      }
    }
    return "$'\(characters.joined())'"
  }

  /// Writes a line that is ready for the terminal.
  static func write(painted line: String) {
    writeOrEnd(Array((line + "\n").utf8))
  }

  /// Begins a text that takes the place of the one before: on an empty terminal, and otherwise
  /// behind an empty line.
  /// - Parameter isFirst: Whether there is none before.
  static func beginPage(isFirst: Bool) {
    if isTerminal, Style.knowsEscapes {
      writeOrEnd(Array("\u{1B}[2J\u{1B}[H".utf8))
    } else if !isFirst {
      write(painted: "")
    }
  }

  /// The text in a style, if there are colours.
  static func paint(_ text: String, _ style: Style) -> String {
    hasColours ? style.paint(text) : text
  }

  /// Writes bytes. If that fails, the program ends with an error.
  static func writeOrEnd(_ bytes: [UInt8]) {
    do throws(CommandFailure) {
      try write(bytes)
    } catch {
      error.report(asJSON: CommandLine.arguments.contains("--json"), details: false)
      TerminalMode.shared.restore()
      // At once: other threads may be in the middle of a download.
      _exit(error.status)
    }
  }

  /// Writes bytes that are more than lines, such as a photo.
  static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    var failure: CommandFailure?
    LiveLine.shared.writing {
      do throws(SystemError) {
        try StandardStream.output.write(bytes)
      } catch {
        failure = CommandFailure(output: error)
      }
    }
    if let failure { throw failure }
  }

  /// Refuses a standard output that is closed, so that nothing is done whose result nobody would
  /// see.
  static func requireOpen() throws(CommandFailure) {
    do throws(SystemError) {
      try StandardStream.output.requireOpen()
    } catch {
      throw CommandFailure(output: error)
    }
  }
}

extension CommandFailure {
  fileprivate init(output error: SystemError) {
    self.init(code: "outputFailed", message: error.outputSentence, status: EXIT_FAILURE)
  }
}

/// The standard error, for errors, notes and live lines. If it cannot be written, nobody can be
/// told.
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
    try? StandardStream.error.write(Array(text.utf8))
  }
}

/// The standard input.
enum StandardInput {
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// The first line, without its end and blanks around it.
  /// - Throws: A usage error for a line that is longer, or no text.
  static func line(atMost count: Int) throws -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
      bytes.append(byte)
      guard bytes.count <= count else {
        throw CommandFailure.usage("the line is longer than \(count) bytes")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure.usage("the line is no text")
    }
    return String(
      text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
