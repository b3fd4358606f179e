import Glibc
import OperatingSystem

/// The standard output. Every write is complete and unbuffered.
enum StandardOutput {
  /// Whether it is a terminal.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  static func write(line: String) {
    write(Array((line + "\n").utf8))
  }

  static func write(_ bytes: [UInt8]) {
    guard writeAll(bytes, to: STDOUT_FILENO) else {
      // The reader has closed the pipe, so there is nothing left to do.
      exit(EXIT_SUCCESS)
    }
  }
}

/// The standard error, for errors and live lines.
enum StandardError {
  /// Whether it is a terminal.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  static func write(line: String) {
    write(line + "\n")
  }

  static func write(_ text: String) {
    _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// False when the reader has closed the pipe.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  let path = descriptor == STDOUT_FILENO ? "standard output" : "standard error"
  return unsafe (try? FileDescriptor.write(bytes.span.bytes, to: descriptor, at: path)) != nil
}
