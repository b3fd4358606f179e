import Glibc
import OperatingSystem

/// The program's output, written at once and whole.
enum StandardOutput {
  /// Whether a person sees it.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  static func write(line: String) {
    write(Array((line + "\n").utf8))
  }

  static func write(_ bytes: [UInt8]) {
    guard writeAll(bytes, to: STDOUT_FILENO) else {
      // Whoever read has had enough: there is nobody left to tell.
      exit(EXIT_SUCCESS)
    }
  }
}

/// Where errors and live lines go.
enum StandardError {
  /// Whether a person sees it.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  static func write(line: String) {
    write(line + "\n")
  }

  static func write(_ text: String) {
    _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// False when nobody reads any more.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  let path = descriptor == STDOUT_FILENO ? "standard output" : "standard error"
  return unsafe (try? FileDescriptor.write(bytes.span.bytes, to: descriptor, at: path)) != nil
}
