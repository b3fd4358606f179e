import COpenSSL
import OperatingSystem

/// Computes SHA-256 over bytes that come in pieces. One thread at a time may use it.
///
/// It uses libcrypto, which uses the processor's SHA instructions. It can only fail for lack of
/// memory, which ends the program.
@safe package struct SHA256: ~Copyable {
  private let context: OpaquePointer

  package init() {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    unsafe self.context = context
    let status = unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
    precondition(status == 1, "libcrypto has no SHA-256: install an OpenSSL that provides it")
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  /// Adds the next bytes.
  package mutating func update(_ bytes: RawSpan) {
    let status = unsafe bytes.withUnsafeBytes { bytes in
      unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }
    precondition(status == 1, "libcrypto refused bytes to digest")
  }

  /// The digest of all bytes that were added.
  package consuming func finalize() -> SHA256Digest {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: SHA256Digest.byteCount) {
      bytes, count in
      let status = unsafe EVP_DigestFinal_ex(context, bytes.baseAddress, nil)
      precondition(status == 1, "libcrypto could not end a digest")
      count = SHA256Digest.byteCount
    }
    guard let digest = SHA256Digest(bytes: bytes) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return digest
  }

  /// The digest of `bytes`.
  package static func hash(of bytes: RawSpan) -> SHA256Digest {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finalize()
  }
}

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
