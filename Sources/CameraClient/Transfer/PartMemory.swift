import Digest
import EventLoop
import ZeroMQ

/// A download into memory.
actor PartMemory: DownloadDestination {
  nonisolated let loop: EventLoop
  private var bytes: [UInt8] = []
  private var digest = SHA256()

  init(byteCount: UInt64, on loop: EventLoop) {
    self.loop = loop
    // A node may claim any size, so only a bounded part is reserved; the array grows by itself.
    bytes.reserveCapacity(Int(min(byteCount, 64 << 20)))
  }

  func append(_ chunk: Message) {
    chunk.withBytes { span in
      digest.update(span)
      unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// The bytes, if they have this digest. Call it once.
  func finish(sha256: String) throws(CameraBusError) -> [UInt8] {
    var digest = SHA256()
    swap(&digest, &self.digest)
    guard digest.finalize().description == sha256 else { throw .hashMismatch("the download") }
    return bytes
  }
}
