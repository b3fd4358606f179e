import Glibc
import OperatingSystem

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
