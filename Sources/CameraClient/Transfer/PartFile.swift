import Digest
import EventLoop
import ZeroMQ

/// A download into a file, which takes its place when all of it is there. On a thread of its own,
/// for disks may be slow.
actor PartFile: DownloadDestination {
  nonisolated let loop: EventLoop
  private let path: String
  private var file: WholeFile?
  private var digest = SHA256()
  private var failure: CameraBusError?

  init(_ path: String, on loop: EventLoop) {
    self.loop = loop
    self.path = path
  }

  /// Begins the file, or goes on with what an earlier download left of it, and takes the disk's
  /// room for all of it.
  /// - Returns: How many bytes are there.
  func open(upTo limit: UInt64) throws(CameraBusError) -> UInt64 {
    var file = try WholeFile(path, continuesPart: true)
    var digest = SHA256()
    var count: UInt64 = 0
    try file.readAll { piece in
      digest.update(piece)
      count += UInt64(piece.byteCount)
    }
    self.digest = digest
    self.file = consume file
    if count > limit {
      try startOver()
      count = 0
    }
    try self.file?.reserve(limit)
    return count
  }

  func append(_ chunk: Message) throws(CameraBusError) {
    if let failure { throw failure }
    do throws(CameraBusError) {
      try chunk.withBytes { (bytes) throws(CameraBusError) in
        // Digested first, it is in the caches when it is written.
        digest.update(bytes)
        try file?.write(bytes)
      }
    } catch {
      failure = error
      throw error
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
