import Digest
import EventLoop
import Glibc
import ZeroMQ

/// A file that comes into being whole: written as `PATH.part`, checked, and renamed. On a thread of its own, for disks may
/// be slow.
actor PartFile: DownloadDestination {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  private let path: String
  private let partPath: String
  private var descriptor: Int32 = -1
  private var digest = SHA256()

  init(_ path: String, on loop: EventLoop) {
    self.loop = loop
    self.path = path
    partPath = path + ".part"
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  func open() throws(CameraBusError) {
    descriptor = try checked("create") {
      unsafe Glibc.open(partPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    }
  }

  func append(_ chunk: Message) throws(CameraBusError) {
    try chunk.withBytes { (span) throws(CameraBusError) in
      digest.update(span)
      var rest = span
      while rest.byteCount > 0 {
        let count = try checked("write") {
          unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
        rest = rest.extracting(droppingFirst: count)
      }
    }
  }

  /// Puts the file in its place, if its bytes are the right ones.
  func finish(sha256: String) throws(CameraBusError) {
    var digest = SHA256()
    swap(&digest, &self.digest)
    guard digest.finalize().description == sha256 else { throw .hashMismatch("the download") }
    try checked("write") { fsync(descriptor) }
    Glibc.close(descriptor)
    descriptor = -1
    try checked("rename") { unsafe rename(partPath, path) }
  }

  /// Removes what was written.
  func remove() {
    if descriptor >= 0 {
      Glibc.close(descriptor)
      descriptor = -1
      unsafe unlink(partPath)
    }
  }

  @discardableResult
  private func checked<R: SignedInteger>(
    _ operation: String,
    _ call: () -> R
  ) throws(CameraBusError) -> R {
    do throws(SystemError) {
      return try systemCall("\(operation) \(partPath)", call)
    } catch {
      throw CameraBusError(error, path: path)
    }
  }
}

extension CameraBusError {
  /// A failure of the disk here.
  fileprivate init(_ error: SystemError, path: String) {
    switch error.errno {
    case ENOSPC, EDQUOT:
      self.init(.storageFull, "no room for \(path): free some, or choose another place")
    case EACCES, EPERM, EROFS:
      self.init(.permissionDenied, "\(path) may not be written: choose another place")
    case ENOENT, ENOTDIR:
      self.init(.storageFailed, "the folder of \(path) does not exist: make it first")
    case EISDIR:
      self.init(.storageFailed, "\(path) is a folder: name a file in it")
    default:
      self.init(.storageFailed, "\(error): choose another place")
    }
  }
}
