import CLinux
import Glibc
import OperatingSystem

/// A file that comes into being whole: written as `PATH.part` and renamed. One writer at a time; a part that is not
/// committed is removed, unless it is left for whoever goes on with it.
struct WholeFile: ~Copyable {
  /// What is read at once, bytes.
  private static let pieceSize = 256 << 10
  /// How much is written until the disk is set to work on it, bytes.
  private static let writebackSize: Int64 = 8 << 20

  /// Whether the part stays when it is not committed.
  var isLeft = false

  private let path: String
  private let partPath: String
  private let descriptor: Int32
  private var isCommitted = false
  /// Where the next byte goes.
  private var position: Int64 = 0
  /// Up to where the disk has been set to work.
  private var writebackPosition: Int64 = 0

  /// Begins a file, or goes on with the part that another left.
  /// - Throws: `conflict` while another writes it, here or in another program.
  init(_ path: String, goesOn: Bool = false) throws(CameraBusError) {
    self.path = path
    partPath = path + ".part"
    descriptor = try openPart(of: path, goesOn: goesOn)
  }

  deinit {
    if !isCommitted, !isLeft { unsafe unlink(partPath) }
    // The lock goes last, so that nobody goes on with what is being removed.
    Glibc.close(descriptor)
  }

  /// Reads what is there, piece by piece, and leaves the end for what is written.
  mutating func readAll(_ body: (RawSpan) -> Void) throws(CameraBusError) {
    try checked(path, "read") { lseek(descriptor, 0, SEEK_SET) }
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    while true {
      let count = try checked(path, "read") {
        unsafe piece.withUnsafeMutableBytes {
          unsafe read(descriptor, $0.baseAddress, $0.count)
        }
      }
      guard count > 0 else { break }
      position += Int64(count)
      unsafe body(piece.span.bytes.extracting(first: count))
    }
    writebackPosition = position
  }

  /// Takes the disk's room for the first so many bytes: one that has none says so now, and writing costs less.
  func reserve(_ byteCount: UInt64) throws(CameraBusError) {
    guard byteCount > 0 else { return }
    try checked(path, "reserve") {
      let status = CLinux_reserve(descriptor, Int64(clamping: byteCount))
      // Where the disk cannot do it, writing will tell.
      return status == -1 && (errno == EOPNOTSUPP || errno == ENOSYS) ? 0 : status
    }
  }

  /// Removes all that is there.
  mutating func startOver() throws(CameraBusError) {
    try checked(path, "write") { ftruncate(descriptor, 0) }
    try checked(path, "write") { lseek(descriptor, 0, SEEK_SET) }
    (position, writebackPosition) = (0, 0)
  }

  mutating func write(_ bytes: RawSpan) throws(CameraBusError) {
    var rest = bytes
    while rest.byteCount > 0 {
      let count = try checked(path, "write") {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.extracting(droppingFirst: count)
      position += Int64(count)
    }
    let pending = position - writebackPosition
    if pending >= Self.writebackSize {
      // So that the wait at the end is short. Where the disk cannot do it, the wait is long.
      _ = CLinux_beginWriteback(descriptor, writebackPosition, pending)
      writebackPosition = position
    }
  }

  /// Puts the file in its place.
  consuming func commit() throws(CameraBusError) {
    try checked(path, "write") { fsync(descriptor) }
    try checked(path, "rename") { unsafe rename(partPath, path) }
    isCommitted = true
  }
}

/// Opens the part of a file and locks it.
private func openPart(of path: String, goesOn: Bool) throws(CameraBusError) -> Int32 {
  let partPath = path + ".part"
  while true {
    let descriptor = try checked(path, "create") { () -> Int32 in
      // A folder in its place would show only at the end otherwise.
      guard !isFolder(path) else {
        errno = EISDIR
        return -1
      }
      return unsafe Glibc.open(partPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    }
    do throws(CameraBusError) {
      try lock(descriptor, path)
      // Who had the lock may have put the part in its place, or removed it.
      if isFile(descriptor, at: partPath) {
        if !goesOn { try checked(path, "write") { ftruncate(descriptor, 0) } }
        return descriptor
      }
    } catch {
      close(descriptor)
      throw error
    }
    close(descriptor)
  }
}

private func lock(_ descriptor: Int32, _ path: String) throws(CameraBusError) {
  try checked(path, "lock") {
    let status = flock(descriptor, LOCK_EX | LOCK_NB)
    // Where the disk knows no locks, there are none.
    return status == -1 && (errno == ENOLCK || errno == EOPNOTSUPP) ? 0 : status
  }
}

private func isFile(_ descriptor: Int32, at path: String) -> Bool {
  var (opened, named) = (stat(), stat())
  return unsafe fstat(descriptor, &opened) == 0 && stat(path, &named) == 0
    && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

@discardableResult
private func checked<R: SignedInteger>(
  _ path: String,
  _ operation: String,
  _ call: () -> R
) throws(CameraBusError) -> R {
  do throws(SystemError) {
    return try systemCall("\(operation) \(path)", call)
  } catch {
    throw CameraBusError(error, path: path)
  }
}

extension CameraBusError {
  /// A failure of the disk here.
  fileprivate init(_ error: SystemError, path: String) {
    switch error.errno {
    case ENOSPC, EDQUOT, EFBIG:
      self.init(.storageFull, "there is no room for \(path): free some, or choose another place")
    case EACCES, EPERM, EROFS:
      self.init(.permissionDenied, "\(path) may not be written: choose another place")
    case ENOENT, ENOTDIR:
      self.init(.storageFailed, "the folder of \(path) does not exist: make it first")
    case EISDIR:
      self.init(.storageFailed, "\(path) is a folder: name a file in it")
    case EWOULDBLOCK:
      self.init(.conflict, "\(path) is being written already: wait for it, or choose another place")
    default:
      self.init(.storageFailed, "\(error): choose another place")
    }
  }
}
