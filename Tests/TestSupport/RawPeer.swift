import Dispatch
import Glibc

/// A peer that speaks ZMTP 3.0 by itself over a socket, so that it can send what libzmq never
/// would.
package final class RawPeer {
  package struct Failure: Error {
    let operation: String
    let errno: Int32
  }

  package let descriptor: Int32

  /// Connects to `tcp://127.0.0.1:PORT` or `ipc://PATH` and says nothing.
  package init(silent endpoint: String) throws {
    let isLocal = endpoint.hasPrefix("ipc://")
    descriptor = socket(isLocal ? AF_UNIX : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let status = isLocal ? connect(path: String(endpoint.dropFirst(6))) : connect(tcp: endpoint)
    guard status == 0 else { throw Failure(operation: "connect", errno: errno) }
  }

  private func connect(tcp endpoint: String) -> Int32 {
    let port = endpoint.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    return unsafe connect(&address)
  }

  private func connect(path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return unsafe connect(&address)
  }

  private func connect<Address>(_ address: UnsafePointer<Address>) -> Int32 {
    unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
    }
  }

  /// Connects and greets.
  /// - Parameters:
  ///   - type: What the peer claims to be: "SUB", "DEALER".
  ///   - userID: A name that the peer gives itself, which only a ZAP handler may.
  ///   - isLong: Whether the size of the properties is written in eight bytes.
  package convenience init(
    _ endpoint: String, as type: String, routingID: String? = nil, userID: String? = nil,
    isLong: Bool = false
  ) throws {
    try self.init(silent: endpoint)
    try send(Self.handshake(as: type, routingID: routingID, userID: userID, isLong: isLong))
    try receiveHandshake()
  }

  /// Takes over a socket that has been accepted.
  init(connected descriptor: Int32) { self.descriptor = descriptor }

  /// libzmq ends the connection if a message comes before it has sent its properties.
  package func receiveHandshake() throws {
    _ = try receive(Int(receive(64 + 2).last ?? 0))
  }

  /// The greeting and the properties.
  package static func handshake(
    as type: String, routingID: String? = nil, userID: String? = nil, isLong: Bool = false
  ) -> [UInt8] {
    // Signature, version 3.0, mechanism, and zeros.
    let greeting: [UInt8] =
      [0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F, 3, 0] + Array("NULL".utf8)
    let zeros = [UInt8](repeating: 0, count: 64 - greeting.count)
    let ready =
      text("READY") + property("Socket-Type", type)
      + (routingID.map { property("Identity", $0) } ?? [])
      + (userID.map { property("User-Id", $0) } ?? [])
    let size = [UInt8](repeating: 0, count: isLong ? 7 : 0) + [UInt8(ready.count)]
    return greeting + zeros + [isLong ? 6 : 4] + size + ready
  }

  private static func property(_ name: String, _ value: String) -> [UInt8] {
    text(name) + [0, 0, 0, UInt8(value.utf8.count)] + Array(value.utf8)
  }

  deinit { close(descriptor) }

  /// Sends a message of one part, or another part of one.
  package func send(message: [UInt8], more: Bool = false) throws {
    try send(Self.frame(message, more: more))
  }

  /// A part as it is on the wire.
  package static func frame(_ message: [UInt8], more: Bool) -> [UInt8] {
    let isLong = message.count > 255
    let length =
      isLong
      ? (0..<8).map { UInt8(truncatingIfNeeded: message.count >> (56 - 8 * $0)) }
      : [UInt8(message.count)]
    return [(more ? 1 : 0) | (isLong ? 2 : 0)] + length + message
  }

  package func subscribe(_ prefix: String) throws { try send(message: [1] + Array(prefix.utf8)) }

  package func unsubscribe(_ prefix: String) throws { try send(message: [0] + Array(prefix.utf8)) }

  /// Ends the connection in this direction; the other side may still send.
  package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Waits until the other side closes the connection, whatever it sends before, or until the test
  /// is cancelled.
  package func waitForEnd() async {
    await waitOnThread { descriptor in
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while unsafe recv(descriptor, &bytes, bytes.count, 0) > 0 {}
    }
  }

  /// Waits until the other side resets the connection, and takes nothing meanwhile.
  package func waitForReset() async {
    await waitOnThread { descriptor in
      var end = pollfd(fd: descriptor, events: 0, revents: 0)
      _ = unsafe poll(&end, 1, -1)
    }
  }

  private func waitOnThread(_ wait: @escaping @Sendable (Int32) -> Void) async {
    let descriptor = descriptor
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          wait(descriptor)
          continuation.resume()
        }
      }
    } onCancel: {
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
    withExtendedLifetime(self) {}
  }

  package func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(operation: "send", errno: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Fails after half a minute without a byte, because a thread that waits forever stops all tests.
  /// - Returns: This many bytes, or fewer if the connection ends before.
  package func receive(_ count: Int) throws -> [UInt8] {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&input, 1, 30_000) == 1 else {
      throw Failure(operation: "receive", errno: ETIMEDOUT)
    }
    var bytes = [UInt8](repeating: 0, count: count)
    let received = unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(descriptor, $0.baseAddress, count, Int32(MSG_WAITALL))
    }
    guard received >= 0 else { throw Failure(operation: "receive", errno: errno) }
    return Array(bytes.prefix(received))
  }

  private static func text(_ name: String) -> [UInt8] {
    [UInt8(name.utf8.count)] + Array(name.utf8)
  }
}
