/// The meaning of the bytes in a file without a format of its own.
package struct RawLayout: Hashable, Sendable {
  /// The range of luma and chroma.
  package enum Range: String, Sendable {
    case full, limited
  }

  /// The weights of red, green and blue in luma and chroma.
  package enum Matrix: String, Sendable {
    case bt601, bt709
  }

  /// V4L2's code.
  package var pixelFormat: String
  /// From one row of the first plane to the next; 0 for compressed pictures.
  package var bytesPerLine: Int
  /// Nil for pixels that are not luma and chroma; so is the matrix.
  package var range: Range?
  package var matrix: Matrix?

  package init(pixelFormat: String, bytesPerLine: Int, range: Range?, matrix: Matrix?) {
    self.pixelFormat = pixelFormat
    self.bytesPerLine = bytesPerLine
    self.range = range
    self.matrix = matrix
  }
}
