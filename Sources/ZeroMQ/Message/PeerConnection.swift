import CZeroMQ
import Glibc

/// The connection to a peer, distinct from every other connection before and after it.
///
/// libzmq tells connections apart by their descriptors, and the kernel gives the number of a closed
/// one to the next. So this also has the kernel's cookie of the socket, which is never used again.
public struct PeerConnection: Hashable, Sendable {
  private let descriptor: Int32
  private let cookie: UInt64

  /// The connection over which libzmq received the message; nil if it was not received over tcp or
  /// ipc, or if the connection has ended since.
  init?(of message: UnsafeMutablePointer<zmq_msg_t>) {
    let descriptor = unsafe zmq_msg_get(message, ZMQ_SRCFD)
    guard descriptor >= 0, let cookie = Self.cookie(of: descriptor) else { return nil }
    self.descriptor = descriptor
    self.cookie = cookie
  }

  /// Whether the connection still exists.
  public var isOpen: Bool { Self.cookie(of: descriptor) == cookie }

  /// Ends the connection. libzmq then notices it as if the peer had closed it.
  public func shutDown() {
    if isOpen { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  /// The kernel's number for the socket; nil if the descriptor is not a socket, or not open.
  private static func cookie(of descriptor: Int32) -> UInt64? {
    var cookie: UInt64 = 0
    var size = socklen_t(MemoryLayout<UInt64>.size)
    let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size)
    return status == 0 ? cookie : nil
  }
}
