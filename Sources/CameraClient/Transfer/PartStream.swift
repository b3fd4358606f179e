import Digest
import EventLoop
import ZeroMQ

/// A download that is passed on as it comes.
actor PartStream: DownloadDestination {
  nonisolated let loop: EventLoop
  private let receive: @Sendable ([UInt8]) -> Void
  private var digest = SHA256()

  init(on loop: EventLoop, _ receive: @escaping @Sendable ([UInt8]) -> Void) {
    self.loop = loop
    self.receive = receive
  }

  func append(_ chunk: Message) {
    chunk.withBytes { digest.update($0) }
    receive(chunk.bytes)
  }

  /// Checks the digest of all bytes. Call it once.
  func finish(sha256: String) throws(CameraBusError) {
    var digest = SHA256()
    swap(&digest, &self.digest)
    guard digest.finalize().description == sha256 else { throw .hashMismatch("the download") }
  }
}
