import CLinux
import CZeroMQ
import Glibc
import OperatingSystem

/// The connection to a peer, distinct from every other connection before and after it.
///
/// libzmq tells connections apart by their descriptors, and the kernel gives the number of a closed
/// one to the next. So this also has the kernel's cookie of the socket, which is never used again.
public struct PeerConnection: Hashable, Sendable {
  package let descriptor: Int32
  package let cookie: UInt64

  /// See ``Message/connection``.
  init?(of message: UnsafeMutablePointer<zmq_msg_t>) {
    self.init(descriptor: unsafe zmq_msg_get(message, ZMQ_SRCFD))
  }

  /// Nil if the descriptor is not an open socket.
  package init?(descriptor: Int32) {
    guard descriptor >= 0, let cookie = Self.cookie(of: descriptor) else { return nil }
    self.descriptor = descriptor
    self.cookie = cookie
  }

  /// The bytes that libzmq has received over this connection since it began; nil for ipc, and when
  /// the connection has ended.
  package var takenByteCount: UInt64? {
    guard isOpen else { return nil }
    let count = CLinux_takenByteCount(descriptor)
    return count >= 0 ? UInt64(count) : nil
  }

  /// What the peer has yet to take of the bytes that the system holds for it.
  package struct Backlog: Hashable, Sendable {
    package var waiting: Int64 = 0
    /// All that it has taken so far; 0 for ipc.
    var taken: Int64 = 0
  }

  /// Nil when the connection has ended.
  package var backlog: Backlog? {
    guard isOpen else { return nil }
    var backlog = Backlog()
    return unsafe CLinux_sendState(descriptor, &backlog.waiting, &backlog.taken) == 0
      ? backlog : nil
  }

  /// The peer's machine, or over ipc its process. A program on this machine may use any address of
  /// its loopback.
  package var origin: String {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard unsafe getpeername(descriptor, address, &size) == 0 else { return Int32(-1) }
        return unsafe getnameinfo(
          address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      }
    }
    if Int32(address.sin6_family) == AF_UNIX {
      return "process \(CLinux_peerProcess(descriptor))"
    }
    guard status == 0 else { return "a peer that has gone" }
    let numbers = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let name = IPv6Address(numbers)?.mapped ?? numbers
    return name.hasPrefix("127.") || name == "::1" ? "this machine" : name
  }

  /// Whether the connection still exists.
  public var isOpen: Bool { Self.cookie(of: descriptor) == cookie }

  /// Ends the connection and drops what it had yet to send, and what libzmq had yet to read.
  /// libzmq then notices it as if the peer had closed it.
  public func shutDown() {
    // A descriptor of its own, because libzmq may close the connection's at any moment, and the
    // next file would get the number.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    defer { if own >= 0 { close(own) } }
    let end = own >= 0 ? own : descriptor
    guard Self.cookie(of: end) == cookie else { return }
    // This resets a TCP connection, also if the peer only sends, and drops what has arrived:
    // libzmq would read it, which may take far more memory there.
    var nobody = sockaddr()
    nobody.sa_family = sa_family_t(AF_UNSPEC)
    let size = socklen_t(MemoryLayout<sockaddr>.size)
    if unsafe connect(end, &nobody, size) != 0 { shutdown(end, Int32(SHUT_RDWR)) }
  }

  /// The kernel's number for the socket; nil if the descriptor is not a socket, or not open.
  private static func cookie(of descriptor: Int32) -> UInt64? {
    var cookie: UInt64 = 0
    var size = socklen_t(MemoryLayout<UInt64>.size)
    let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size)
    return status == 0 ? cookie : nil
  }
}
