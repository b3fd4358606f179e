import Capture
import Glibc
import OperatingSystem

/// A file or folder that is open for reading.
struct OpenFile: ~Copyable {
  private let file: FileDescriptor
  private let status: FileStatus

  /// - Throws: `deviceNotFound`, `permissionDenied` or `deviceFailed`, with what to do about it.
  init(_ path: String) throws(CaptureError) {
    let status: FileStatus
    let file: FileDescriptor
    do throws(SystemError) {
      // O_NONBLOCK: opening a pipe does not wait for a program that writes to it.
      file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK, followsLinks: true)
    } catch {
      throw CaptureError(error, reading: path)
    }
    do throws(SystemError) {
      status = try file.status()
    } catch {
      throw CaptureError(error, reading: path)
    }
    self.file = file
    self.status = status
  }

  var isFolder: Bool { status.isFolder }
  var isFile: Bool { status.isRegularFile }
  var byteCount: Int { status.byteCount }

  /// All of the file; less than `byteCount` if another program has shortened it meanwhile.
  /// - Throws: `deviceFailed`.
  func bytes() throws(CaptureError) -> [UInt8] {
    do throws(SystemError) {
      return try file.read(at: 0, count: byteCount)
    } catch {
      throw CaptureError(error, reading: file.path)
    }
  }
}

extension CaptureError {
  fileprivate init(_ error: SystemError, reading path: String) {
    switch error.errno {
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
    default:
      self.init(.deviceFailed, "\(path) cannot be read (\(error.reason)): check its disk")
    }
  }
}
