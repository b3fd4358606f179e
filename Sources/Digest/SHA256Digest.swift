import OperatingSystem

/// The SHA-256 of some bytes (FIPS 180-4).
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
  /// How many bytes a digest has.
  package static let byteCount = 32

  /// The digest, 32 bytes.
  package let bytes: [UInt8]

  /// The digest of these bytes; nil unless there are 32 of them.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// 64 lower-case hexadecimal digits, as `sha256sum` prints them.
  package var description: String { bytes.hexadecimal }
}
