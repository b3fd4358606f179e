import CLinux
import Glibc

/// The size of a terminal, in characters and in pixels.
package struct TerminalSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int
  /// 0 where the terminal does not tell.
  package var pixelWidth: Int
  /// 0 where the terminal does not tell.
  package var pixelHeight: Int

  /// The size of the terminal that the descriptor leads to. Nil for anything else, and for a
  /// terminal that does not know its size, such as a serial line.
  package init?(of descriptor: Int32) {
    var (columns, rows, width, height) = (UInt16(0), UInt16(0), UInt16(0), UInt16(0))
    guard
      unsafe CLinux_terminalSize(descriptor, &columns, &rows, &width, &height) == 0, columns > 0
    else { return nil }
    self.columns = Int(columns)
    self.rows = Int(rows)
    pixelWidth = Int(width)
    pixelHeight = Int(height)
  }
}
