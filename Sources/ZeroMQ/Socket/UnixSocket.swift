import Glibc

/// Examines the path of an ipc endpoint.
enum UnixSocket {
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
}
