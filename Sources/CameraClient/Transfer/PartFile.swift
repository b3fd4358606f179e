import Digest
import EventLoop
import OperatingSystem
import ZeroMQ

/// A download into a file, which appears when all of it is there. It has a thread of its own,
/// because disks may be slow.
actor PartFile: DownloadDestination {
  nonisolated let loop: EventLoop
  private let path: String
  private let overwrites: Bool
  private let interrupter: Interrupter
  private var file: FileWriter?
  private var digest = SHA256()
  private var failure: CameraBusError?

  /// - Parameter interrupter: Ends the waiting for a device or a pipe.
  init(_ path: String, overwrites: Bool, on loop: EventLoop, _ interrupter: Interrupter) {
    self.loop = loop
    self.path = path
    self.overwrites = overwrites
    self.interrupter = interrupter
  }

  /// Begins the file, or continues the part that an earlier download left, and reserves the disk's
  /// room for all of it.
  /// - Returns: How many bytes the part has.
  func open(upTo limit: UInt64) throws(CameraBusError) -> UInt64 {
    try CameraBusError.writing(path) { () throws(SystemError) in
      var file = try FileWriter(path, overwrites: overwrites, continuesPart: true, interrupter)
      var digest = SHA256()
      var count: UInt64 = 0
      try file.readAll { piece in
        digest.update(piece)
        count += UInt64(piece.byteCount)
      }
      if count > limit {
        try file.startOver()
        digest = SHA256()
        count = 0
      }
      try file.reserve(limit)
      self.digest = digest
      self.file = consume file
      return count
    }
  }

  func append(_ chunk: Message) throws(CameraBusError) {
    if let failure { throw failure }
    do throws(SystemError) {
      try chunk.withBytes { (bytes) throws(SystemError) in
        // Digest first: the bytes are in the caches then when they are written.
        digest.update(bytes)
        try file?.write(bytes)
      }
    } catch {
      let error = CameraBusError(error, path: path)
      failure = error
      throw error
    }
  }

  /// Drops all bytes that are there.
  func startOver() throws(CameraBusError) {
    digest = SHA256()
    try CameraBusError.writing(path) { () throws(SystemError) in try file?.startOver() }
  }

  /// Whether the bytes have this digest. Call it once.
  func matches(sha256: String) -> Bool {
    var digest = SHA256()
    swap(&digest, &self.digest)
    return digest.finalize().description == sha256
  }

  /// Puts the file in its place.
  /// - Throws: also what the last ``append(_:)`` threw, because the node may report the end before
  ///   that is known.
  func finish() throws(CameraBusError) {
    if let failure { throw failure }
    try CameraBusError.writing(path) { () throws(SystemError) in try file.take()?.commit() }
  }

  /// Ends without the file.
  /// - Parameter isLeft: Whether the part stays for a later download to continue.
  func close(isLeft: Bool) {
    file?.isLeft = isLeft
    file = nil
  }
}
