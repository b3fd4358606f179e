import Digest
import ZeroMQ

/// A download into memory.
actor PartMemory: DownloadDestination {
  private var bytes: [UInt8] = []

  init(byteCount: UInt64) {
    // What the node says of a size is not believed beyond a point: the array grows by itself.
    bytes.reserveCapacity(Int(min(byteCount, 64 << 20)))
  }

  func append(_ chunk: Message) {
    chunk.withBytes { span in
      unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// The bytes, if they are the right ones.
  func finish(sha256: String) throws(CameraBusError) -> [UInt8] {
    let digest = unsafe SHA256.hash(of: bytes.span.bytes)
    guard digest.description == sha256 else { throw .hashMismatch("the download") }
    return bytes
  }
}
