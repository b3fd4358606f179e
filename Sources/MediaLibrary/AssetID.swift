import Digest
import OperatingSystem

/// The name of an asset for good: 16 random bytes.
package struct AssetID: Hashable, Sendable, CustomStringConvertible {
  /// How many bytes an id has.
  package static let byteCount = 16

  /// The id, 16 bytes.
  package let bytes: [UInt8]

  /// The id of these bytes; nil unless there are 16 of them.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// The id that these 32 hexadecimal digits stand for; nil when they do not.
  package init?(_ text: String) {
    guard let bytes = [UInt8](hexadecimal: text) else { return nil }
    self.init(bytes: bytes)
  }

  /// A new one.
  init() {
    bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255) }
  }

  /// 32 lower-case hexadecimal digits.
  package var description: String { bytes.hexadecimal }
}
