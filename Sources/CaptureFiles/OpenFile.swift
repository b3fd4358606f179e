import Capture
import Glibc
import OperatingSystem

/// A file or folder that is open for reading.
struct OpenFile: ~Copyable {
  private let file: FileDescriptor
  private let status: FileStatus

  // O_NONBLOCK: opening a pipe does not wait for a program that writes to it.
  private static let flags = O_RDONLY | O_NONBLOCK

  /// - Throws: `deviceNotFound`, `permissionDenied` or `deviceFailed`, with what to do about it.
  init(_ path: String) throws(CaptureError) {
    do throws(SystemError) {
      try self.init(FileDescriptor(path, Self.flags, followsLinks: true))
    } catch {
      throw CaptureError(error, reading: path)
    }
  }

  private init(_ file: consuming FileDescriptor) throws(SystemError) {
    status = try file.status()
    self.file = file
  }

  /// Opens a file in this folder.
  /// - Returns: Nil for a link that leads nowhere, and for a file that was deleted meanwhile.
  func file(named name: FileName) throws(CaptureError) -> OpenFile? {
    do throws(SystemError) {
      return try OpenFile(FileDescriptor(name, following: file, Self.flags))
    } catch {
      guard error.errno != ENOENT, error.errno != ELOOP else { return nil }
      throw CaptureError(error, reading: "\(path)/\(name)")
    }
  }

  /// The names in this folder, sorted, without hidden ones.
  /// - Throws: `permissionDenied` or `deviceFailed`.
  func names() throws(CaptureError) -> [FileName] {
    do throws(SystemError) {
      return try Folder.entries(in: file)
    } catch {
      throw CaptureError(error, reading: path)
    }
  }

  var path: String { file.path }
  var isFolder: Bool { status.isFolder }
  var isFile: Bool { status.isRegularFile }
  var byteCount: Int { status.byteCount }

  /// All of the file; less than `byteCount` if another program has shortened it meanwhile.
  /// - Throws: `deviceFailed`.
  func bytes() throws(CaptureError) -> [UInt8] {
    do throws(SystemError) {
      return try file.read(at: 0, count: byteCount)
    } catch {
      throw CaptureError(error, reading: path)
    }
  }
}

extension CaptureError {
  fileprivate init(_ error: SystemError, reading path: String) {
    switch error.errno {
    case ENOENT where (try? FileStatus(at: path, followsLinks: false)) != nil:
      self.init(.deviceNotFound, "\(path) is a link that leads nowhere: mend the link")
    case ENOENT, ENOTDIR:
      self.init(.deviceNotFound, "there is no \(path): name a folder of pictures that is there")
    case ELOOP:
      self.init(
        .deviceNotFound, "\(path) is a link that leads to itself: name a folder of pictures")
    case EACCES, EPERM:
      self.init(
        .permissionDenied,
        "no permission to read \(path): let the node's user read it (chmod a+rX)"
      )
    case EIO:
      self.init(.deviceFailed, "\(path) cannot be read (\(error.reason)): check its disk")
    case EMFILE, ENFILE:
      self.init(
        .deviceFailed, "\(path) cannot be read (\(error.reason)): raise the limit (ulimit -n)")
    default:
      self.init(.deviceFailed, "\(path) cannot be read: \(error.reason)")
    }
  }
}
