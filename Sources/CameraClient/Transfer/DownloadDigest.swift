import Digest
import EventLoop

/// The digest of what a download has so far.
final class DownloadDigest: Sendable {
  private let hash = Mutex(SHA256())

  func update(_ bytes: RawSpan) {
    hash.withLock { $0.update(bytes) }
  }

  /// Forgets all bytes.
  func startOver() {
    hash.withLock { $0 = SHA256() }
  }

  /// Whether the bytes are the right ones. To be asked once.
  func matches(sha256: String) -> Bool {
    let whole = hash.withLock { hash in
      var ended = SHA256()
      swap(&ended, &hash)
      return ended.finalize()
    }
    return whole.description == sha256
  }
}
