import Digest
import EventLoop
import ZeroMQ

/// A download into a file, which takes its place when all of it is there. On a thread of its own, for disks may be slow.
actor PartFile: DownloadDestination {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  private let path: String
  private var file: WholeFile?
  private var digest = SHA256()

  init(_ path: String, on loop: EventLoop) {
    self.loop = loop
    self.path = path
  }

  func open() throws(CameraBusError) {
    file = try WholeFile(path)
  }

  func append(_ chunk: Message) throws(CameraBusError) {
    try chunk.withBytes { (bytes) throws(CameraBusError) in
      digest.update(bytes)
      try file?.write(bytes)
    }
  }

  /// Puts the file in its place, if its bytes are the right ones.
  func finish(sha256: String) throws(CameraBusError) {
    var digest = SHA256()
    swap(&digest, &self.digest)
    guard digest.finalize().description == sha256 else { throw .hashMismatch("the download") }
    try file.take()?.commit()
  }

  /// Removes what was written, unless it is in its place.
  func close() {
    file = nil
  }
}
