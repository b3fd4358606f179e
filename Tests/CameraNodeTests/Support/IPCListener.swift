import CConnections
import Foundation
import Glibc
import OperatingSystem
import TestSupport

/// A socket that accepts connections over ipc as a node does, which count as the node's.
final class IPCListener: Sendable {
  let descriptor: Int32
  private let path = NSTemporaryDirectory() + "camerabus-\(UUID().uuidString)"

  init() throws {
    descriptor = try systemCall("socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    _ = try unsafe withUnsafePointer(to: &address) {
      try unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        try systemCall("bind") { unsafe bind(descriptor, address, size) }
      }
    }
    try systemCall("listen") { listen(descriptor, 200) }
  }

  deinit {
    close(descriptor)
    unsafe unlink(path)
  }

  /// - Returns: A new connection: the peer's end, and the descriptor of this end.
  func connect() throws -> (peer: RawPeer, accepted: Int32) {
    let peer = try RawPeer(silent: "ipc://\(path)")
    return (peer, try systemCall("accept4") { accept4(descriptor, nil, nil, 0) })
  }
}
