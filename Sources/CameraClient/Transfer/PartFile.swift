import Digest
import EventLoop
package import OperatingSystem
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
  /// - Throws: Also what the last ``append(_:)`` threw, because the node may report the end before
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

extension FileWriter {
  /// Writes a whole file on a thread of its own.
  ///
  /// - Parameter overwrites: Whether a file that is there is replaced; if not, it is `fileExists`.
  /// - Throws: `cancelled` when the task is while a device or a pipe lets it wait.
  package static func write(
    _ bytes: [UInt8],
    to path: String,
    overwrites: Bool
  ) async throws(CameraBusError) {
    do throws(SystemError) {
      let interrupter = try Interrupter()
      try await OwnThread.run(interrupter) { () throws(SystemError) in
        var file = try FileWriter(path, overwrites: overwrites, interrupter)
        try file.write(unsafe bytes.span.bytes)
        try file.commit()
      }
    } catch {
      throw CameraBusError(error, path: path)
    }
  }
}
