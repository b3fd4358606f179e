import Glibc

/// The file of an ipc endpoint.
package struct UnixSocket {
  /// The bytes of a path that the system takes: `sun_path` without the zero at its end (unix(7)).
  package static let longestPath = 107

  private let endpoint: String
  private let path: String
  private let device: dev_t
  private let inode: ino_t

  /// The file that a socket has just bound. Nil for other transports, for an abstract name, and for
  /// `ipc://*`, whose file libzmq removes itself.
  init?(boundBy endpoint: String) {
    guard let path = Self.path(of: endpoint), let status = Self.status(at: path),
      status.isSocket
    else { return nil }
    self.endpoint = endpoint
    self.path = path
    device = status.file.st_dev
    inode = status.file.st_ino
  }

  /// Whether this is the file of the endpoint.
  func belongs(to endpoint: String) -> Bool { self.endpoint == endpoint }

  /// Deletes the file, unless another one has its name by now. A socket keeps its file's number
  /// occupied, so no other file can have the same one.
  func remove() {
    guard let status = Self.status(at: path), status.isSocket, status.file.st_dev == device,
      status.file.st_ino == inode
    else { return }
    _ = unsafe unlink(path)
  }

  /// Whether something other than a socket has the path of the endpoint. libzmq would delete it.
  static func isOtherFile(endpoint: String) -> Bool {
    guard let path = path(of: endpoint), let status = status(at: path) else { return false }
    return !status.isSocket
  }

  /// Whether a process listens at `ipc://PATH`. Returns false for other endpoints.
  static func isListenedTo(endpoint: String) -> Bool {
    guard endpoint.hasPrefix("ipc://") else { return false }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = endpoint.utf8.dropFirst(6)
    let isWhole = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.count < room.count else { return false }
      unsafe room.copyBytes(from: path)
      return true
    }
    guard isWhole else { return false }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { return false }
    defer { _ = Glibc.close(descriptor) }
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe Glibc.connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // EAGAIN means that a process listens but its queue is full.
    return result == 0 || errno == EAGAIN
  }

  /// The path of an endpoint `ipc://PATH` that names a file.
  private static func path(of endpoint: String) -> String? {
    guard endpoint.hasPrefix("ipc://") else { return nil }
    let path = endpoint.dropFirst(6)
    return path.isEmpty || path.hasPrefix("*") || path.hasPrefix("@") ? nil : String(path)
  }

  /// The status of the file itself; a symbolic link is not followed.
  private static func status(at path: String) -> (file: stat, isSocket: Bool)? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return (status, status.st_mode & S_IFMT == S_IFSOCK)
  }
}
