import Glibc
import OperatingSystem

/// A port of the loopback that answers nobody for as long as this is held.
final class SilentPort: Sendable {
  let endpoint: String
  private let descriptor: Int32

  /// - Parameter accepts: Whether the kernel accepts connections, as for a stopped program;
  ///   otherwise it refuses them.
  init(accepts: Bool = false) throws {
    let descriptor = try systemCall("socket") {
      socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    }
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // It is bound, so that no other program gets it. A port that does not listen refuses.
    try unsafe withUnsafeMutablePointer(to: &address) { pointer in
      try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        try systemCall("bind") { unsafe bind(descriptor, address, size) }
        try systemCall("getsockname") { unsafe getsockname(descriptor, address, &size) }
      }
    }
    if accepts { try systemCall("listen") { listen(descriptor, 8) } }
    endpoint = "tcp://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
  }

  deinit { close(descriptor) }
}
