import Glibc
import TestSupport

extension RawPeer {
  /// The descriptor of this connection's other end over tcp, which is in the same process; nil when
  /// it has ended.
  var acceptedDescriptor: Int32? {
    guard let own = unsafe address(of: descriptor, by: getsockname) else { return nil }
    return (0..<8192).first { unsafe address(of: $0, by: getpeername) == own }
  }

  private func address(
    of descriptor: Int32,
    by name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> [UInt8]? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe name(descriptor, $0, &size)
      }
    }
    guard status == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return unsafe withUnsafeBytes(of: (address.sin_addr, address.sin_port)) { unsafe Array($0) }
  }
}
