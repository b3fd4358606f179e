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

  /// Begins the file, or goes on with what an earlier download left of it.
  /// - Returns: How many bytes are there.
  func open(upTo limit: UInt64) throws(CameraBusError) -> UInt64 {
    let file = try WholeFile(path, goesOn: true)
    var digest = SHA256()
    var count: UInt64 = 0
    try file.readAll { piece in
      digest.update(piece)
      count += UInt64(piece.byteCount)
    }
    self.digest = digest
    self.file = consume file
    guard count > limit else { return count }
    try startOver()
    return 0
  }

  func append(_ chunk: Message) throws(CameraBusError) {
    try chunk.withBytes { (bytes) throws(CameraBusError) in
      digest.update(bytes)
      try file?.write(bytes)
    }
  }

  /// Forgets all bytes that are there.
  func startOver() throws(CameraBusError) {
    digest = SHA256()
    try file?.startOver()
  }

  /// Whether the bytes are the right ones. To be asked once.
  func matches(sha256: String) -> Bool {
    var digest = SHA256()
    swap(&digest, &self.digest)
    return digest.finalize().description == sha256
  }

  /// Puts the file in its place.
  func finish() throws(CameraBusError) {
    try file.take()?.commit()
  }

  /// Ends without the file.
  /// - Parameter isLeft: Whether the part stays, for another download to go on with.
  func close(isLeft: Bool) {
    file?.isLeft = isLeft
    file = nil
  }
}
