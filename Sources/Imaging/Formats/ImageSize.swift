/// Pixels across and down.
package struct ImageSize: Hashable, Sendable, CustomStringConvertible {
  /// The most in either direction; what is larger is taken for a mistake.
  package static let maximum = 16_384

  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var description: String { "\(width)x\(height)" }
  package var isValid: Bool {
    (1...Self.maximum).contains(width) && (1...Self.maximum).contains(height)
  }
}
