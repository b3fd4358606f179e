import Glibc
package import OperatingSystem

extension CameraBusError {
  /// A failure to write a file here.
  package init(_ error: SystemError, path: String) {
    guard !path.utf8.contains(0) else {
      self.init(
        .invalidArgument,
        "the path '\(path.replacing("\0", with: #"\0"#))' has a zero byte, which no name of a file can have: leave it out",
        cause: error)
      return
    }
    // A link at its end may lead to another folder.
    let folder = Folder.parent(of: (try? FilePlace(path))?.path ?? path)
    let (code, message): (Code, String) =
      switch error.errno {
      case ENOSPC, EDQUOT, EFBIG:
        (.storageFull, "there is no room for \(path): free some, or choose another place")
      case EACCES, EPERM, EROFS:
        (.permissionDenied, "\(path) may not be written: choose another place")
      case ENOENT:
        (.storageFailed, "\(path) cannot be made, because \(folder) does not exist: make it first")
      case ENOTDIR:
        (.storageFailed, "\(folder) is no folder: choose another place than \(path)")
      case EISDIR:
        (.storageFailed, "\(path) is a folder: name a file in it")
      case ENXIO:
        (.storageFailed, "\(path) is a socket: name a file, a device or a pipe")
      case ELOOP:
        (.storageFailed, "\(path) is a link that leads to itself: choose another place")
      case ENAMETOOLONG:
        (.storageFailed, "the name \(path) is too long: choose a shorter one")
      case EPIPE:
        (.storageFailed, "the reader of \(path) has gone: start it again")
      case EEXIST:
        (
          .fileExists,
          "\(error.operation.dropFirst(7)) exists: choose another name, or move it away"
        )
      case ECANCELED: (.cancelled, "the writing of \(path) was cancelled")
      case EWOULDBLOCK:
        (.conflict, "\(path) is being written already: wait for it, or choose another place")
      default:
        (.storageFailed, "\(error): choose another place")
      }
    self.init(code, message, cause: error)
  }

  /// Makes a call that writes the file at a path, and turns its failure into this error.
  @discardableResult
  package static func writing<R: ~Copyable>(
    _ path: String,
    _ call: () throws(SystemError) -> R
  ) throws(CameraBusError) -> R {
    do throws(SystemError) {
      return try call()
    } catch {
      throw CameraBusError(error, path: path)
    }
  }
}
