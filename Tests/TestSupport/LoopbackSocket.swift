import Glibc
import OperatingSystem

/// A TCP socket that is bound to a free port of the loopback, so that no other program gets it.
package struct LoopbackSocket: Sendable {
  package let descriptor: Int32
  package let endpoint: String

  package init() throws {
    let descriptor = try systemCall("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try unsafe withUnsafeMutablePointer(to: &address) { pointer in
      try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        try systemCall("bind") { unsafe bind(descriptor, address, size) }
        try systemCall("getsockname") { unsafe getsockname(descriptor, address, &size) }
      }
    }
    endpoint = "tcp://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
  }

  /// Lets the kernel accept connections. Until then it refuses them.
  package func listen() throws {
    try systemCall("listen") { Glibc.listen(descriptor, 8) }
  }
}
