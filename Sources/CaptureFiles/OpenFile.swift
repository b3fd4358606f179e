import Capture
import Glibc
import OperatingSystem

/// A file or folder that was opened to be read.
struct OpenFile: ~Copyable {
  let path: String
  private let descriptor: Int32
  private let status: stat

  /// - Throws: `deviceNotFound`, `permissionDenied` or `deviceFailed`, with what to do about it.
  init(_ path: String) throws(CaptureError) {
    self.path = path
    do throws(SystemError) {
      // Without waiting for somebody to write, if it is a pipe.
      descriptor = try systemCall("open") {
        unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      }
    } catch {
      throw CaptureError(error, reading: path)
    }
    var status = stat()
    unsafe fstat(descriptor, &status)
    self.status = status
  }

  deinit {
    close(descriptor)
  }

  var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
  var isFile: Bool { status.st_mode & S_IFMT == S_IFREG }
  var byteCount: Int { Int(status.st_size) }

  /// All of the file.
  /// - Throws: `deviceFailed`.
  func bytes() throws(CaptureError) -> [UInt8] {
    var bytes: [UInt8] = Array(repeating: 0, count: byteCount)
    var done = 0
    while done < bytes.count {
      do throws(SystemError) {
        let count = try systemCall("read") {
          unsafe bytes.withUnsafeMutableBytes { memory in
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[done...])
            return unsafe read(descriptor, rest.baseAddress, rest.count)
          }
        }
        // Somebody has made it shorter meanwhile.
        guard count > 0 else { return Array(bytes[..<done]) }
        done += count
      } catch {
        throw CaptureError(error, reading: path)
      }
    }
    return bytes
  }
}

extension CaptureError {
  fileprivate init(_ error: SystemError, reading path: String) {
    switch error.errno {
    case ENOENT, ENOTDIR:
      self.init(.deviceNotFound, "there is no \(path): name a folder of pictures that is there")
    case EACCES, EPERM:
      self.init(
        .permissionDenied,
        "no permission to read \(path): let the node's user read it (chmod a+rX)"
      )
    default:
      self.init(.deviceFailed, "\(path) cannot be read (\(error)): check its disk")
    }
  }
}
