import Digest
import OperatingSystem
package import ZeroMQ

/// The SHA-256 digest of a node's public key. It tells keys apart without showing them.
package struct KeyFingerprint: Hashable, Sendable, CustomStringConvertible {
  private let digest: SHA256Digest

  package init(of key: CurvePublicKey) {
    digest = unsafe SHA256.hash(of: key.bytes.span.bytes)
  }

  /// - Parameter text: 64 hexadecimal digits. Nil for anything else.
  package init?(_ text: String) {
    guard text.utf8.count == 2 * SHA256Digest.byteCount, let bytes = [UInt8](hexadecimal: text),
      let digest = SHA256Digest(bytes: bytes)
    else { return nil }
    self.digest = digest
  }

  /// 64 lower-case hexadecimal digits.
  package var description: String { digest.description }
}

/// What a node says of its key.
package enum AnnouncedKey: Hashable, Sendable {
  /// The node has this key.
  case fingerprint(KeyFingerprint)
  /// The node needs no key.
  case none
  /// Nothing that can be understood.
  case unknown
}
