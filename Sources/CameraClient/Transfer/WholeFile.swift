import EventLoop
import Glibc

/// A file that comes into being whole: written as `PATH.part` and renamed. What is not committed is removed.
struct WholeFile: ~Copyable {
  private let path: String
  private let partPath: String
  private let descriptor: Int32
  private var isCommitted = false

  init(_ path: String) throws(CameraBusError) {
    self.path = path
    let partPath = path + ".part"
    self.partPath = partPath
    descriptor = try checked(path, "create") {
      // A folder in its place would show only at the end otherwise.
      guard !isFolder(path) else {
        errno = EISDIR
        return -1
      }
      return unsafe Glibc.open(partPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    }
  }

  deinit {
    Glibc.close(descriptor)
    if !isCommitted { unsafe unlink(partPath) }
  }

  func write(_ bytes: RawSpan) throws(CameraBusError) {
    var rest = bytes
    while rest.byteCount > 0 {
      let count = try checked(path, "write") {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.extracting(droppingFirst: count)
    }
  }

  /// Puts the file in its place.
  consuming func commit() throws(CameraBusError) {
    try checked(path, "write") { fsync(descriptor) }
    try checked(path, "rename") { unsafe rename(partPath, path) }
    isCommitted = true
  }
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
    case ENOSPC, EDQUOT:
      self.init(.storageFull, "there is no room for \(path): free some, or choose another place")
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
