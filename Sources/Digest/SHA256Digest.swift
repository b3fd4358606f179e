import OperatingSystem

/// A SHA-256 digest (FIPS 180-4).
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
  package static let byteCount = 32

  package let bytes: [UInt8]

  /// Nil unless there are 32 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// 64 lower-case hexadecimal digits, as `sha256sum` prints them.
  package var description: String { bytes.hexadecimal }
}
