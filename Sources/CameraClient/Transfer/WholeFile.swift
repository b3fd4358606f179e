import Glibc
import OperatingSystem

/// A file that appears whole: written as `PATH.part`, then renamed. It has one writer at a time. A
/// part that is not committed is removed, unless it is left for a later download to continue.
struct WholeFile: ~Copyable {
  /// Bytes that are read at a time.
  private static let pieceSize = 256 << 10
  /// Bytes that are written before the kernel begins to bring them to the disk.
  private static let writebackSize: Int64 = 8 << 20

  /// Whether the part stays when it is not committed.
  var isLeft = false

  private let path: String
  private let part: FileDescriptor
  private var isCommitted = false
  /// Where the next byte goes.
  private var position: Int64 = 0
  /// Up to where the kernel has begun to bring the bytes to the disk.
  private var writebackPosition: Int64 = 0

  /// Begins a file, or continues the part that another writer left.
  /// - Throws: `conflict` while another writer has it, in this program or another.
  init(_ path: String, continuesPart: Bool = false) throws(CameraBusError) {
    self.path = path
    part = try openPart(of: path, continuesPart: continuesPart)
  }

  deinit {
    // The part goes before its lock does, so that no other writer continues a file that is being
    // removed.
    if !isCommitted, !isLeft { try? Folder.removeFile(part.path) }
  }

  /// Reads the bytes that are there, piece by piece. What is written later follows them.
  mutating func readAll(_ body: (RawSpan) -> Void) throws(CameraBusError) {
    while true {
      let piece = try checked(path) { () throws(SystemError) in
        try part.read(at: Int(position), count: Self.pieceSize)
      }
      guard !piece.isEmpty else { break }
      position += Int64(piece.count)
      unsafe body(piece.span.bytes)
    }
    writebackPosition = position
  }

  /// Reserves the disk's room for the first bytes. A disk without room says so now, and writing
  /// costs less.
  func reserve(_ byteCount: UInt64) throws(CameraBusError) {
    guard byteCount > 0 else { return }
    try checked(path) { () throws(SystemError) in
      try part.reserve(Int64(clamping: byteCount))
    }
  }

  /// Removes all bytes that are there.
  mutating func startOver() throws(CameraBusError) {
    try checked(path) { () throws(SystemError) in try part.truncate() }
    (position, writebackPosition) = (0, 0)
  }

  mutating func write(_ bytes: RawSpan) throws(CameraBusError) {
    try checked(path) { () throws(SystemError) in try part.write(bytes) }
    position += Int64(bytes.byteCount)
    let pending = position - writebackPosition
    if pending >= Self.writebackSize {
      // This shortens the wait at the end. A file system without this call makes no difference but
      // the longer wait.
      part.beginWriteback(from: writebackPosition, count: pending)
      writebackPosition = position
    }
  }

  /// Puts the file in its place.
  consuming func commit() throws(CameraBusError) {
    try checked(path) { () throws(SystemError) in try part.publish(as: path) }
    isCommitted = true
  }
}

/// Opens the part of a file and locks it.
private func openPart(
  of path: String,
  continuesPart: Bool
) throws(CameraBusError) -> FileDescriptor {
  let partPath = path + ".part"
  return try checked(path) { () throws(SystemError) in
    while true {
      // A folder in the file's place would fail only at the end otherwise.
      if Folder.exists(path) { throw SystemError(errno: EISDIR, operation: "create \(path)") }
      let part = try FileDescriptor(partPath, O_RDWR | O_CREAT | O_APPEND)
      do throws(SystemError) {
        try part.lock()
      } catch {
        // A file system without locks is used without them.
        guard error.errno == ENOLCK || error.errno == EOPNOTSUPP else { throw error }
      }
      // The writer that held the lock before may have put the part in its place, or removed it.
      let named = try? FileStatus(at: partPath)
      guard try part.status().identity == named?.identity else { continue }
      if !continuesPart { try part.truncate() }
      return part
    }
  }
}

@discardableResult
private func checked<R: ~Copyable>(
  _ path: String,
  _ call: () throws(SystemError) -> R
) throws(CameraBusError) -> R {
  do throws(SystemError) {
    return try call()
  } catch {
    throw CameraBusError(error, path: path)
  }
}

extension CameraBusError {
  /// A failure of the disk here.
  fileprivate init(_ error: SystemError, path: String) {
    let (code, message): (Code, String) =
      switch error.errno {
      case ENOSPC, EDQUOT, EFBIG:
        (.storageFull, "there is no room for \(path): free some, or choose another place")
      case EACCES, EPERM, EROFS:
        (.permissionDenied, "\(path) may not be written: choose another place")
      case ENOENT, ENOTDIR:
        (.storageFailed, "the folder of \(path) does not exist: make it first")
      case EISDIR:
        (.storageFailed, "\(path) is a folder: name a file in it")
      case EWOULDBLOCK:
        (.conflict, "\(path) is being written already: wait for it, or choose another place")
      default:
        (.storageFailed, "\(error): choose another place")
      }
    self.init(code, message, cause: error)
  }
}
