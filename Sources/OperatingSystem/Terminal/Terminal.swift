import CLinux
import Glibc

/// The size of a terminal, in characters.
package struct TerminalSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  /// The size of the terminal that the descriptor leads to. Nil for anything else, and for a
  /// terminal that does not know its size, such as a serial line.
  package init?(of descriptor: Int32) {
    var (columns, rows): (UInt16, UInt16) = (0, 0)
    guard unsafe CLinux_terminalSize(descriptor, &columns, &rows) == 0, columns > 0 else {
      return nil
    }
    self.columns = Int(columns)
    self.rows = Int(rows)
  }
}
