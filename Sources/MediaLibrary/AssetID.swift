import Digest
import OperatingSystem

/// The permanent identifier of an asset: 16 random bytes.
package struct AssetID: Hashable, Sendable, CustomStringConvertible {
  package static let byteCount = 16

  package let bytes: [UInt8]

  /// Nil unless there are 16 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads 32 hexadecimal digits; nil for any other text.
  package init?(_ text: String) {
    guard let bytes = [UInt8](hexadecimal: text) else { return nil }
    self.init(bytes: bytes)
  }

  /// Makes a new random id.
  package init() {
    bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255) }
  }

  /// 32 lower-case hexadecimal digits.
  package var description: String { bytes.hexadecimal }
}
