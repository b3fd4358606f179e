import Glibc
import OperatingSystem

/// A port that speaks ZMTP 3.0 by itself, and sends every peer a message of very many parts, which
/// usually does not end.
package final class EndlessSender: Sendable {
  package let endpoint: String
  /// One for each connection that has ended.
  package let ends: AsyncStream<Void>
  private let descriptor: Int32

  /// - Parameters:
  ///   - type: What the port claims to be: "XPUB", "ROUTER".
  ///   - burst: How many bytes it sends over a connection as fast as it can.
  ///   - isWhole: Whether the last part follows then, and the connection is closed. If not, parts
  ///     follow slowly until the peer ends the connection.
  ///   - peers: How many peers it serves; it leaves later ones at once. Nil for all.
  package init(
    as type: String, part: [UInt8], burst: Int, isWhole: Bool = false, peers: Int? = nil
  ) throws {
    let socket = try LoopbackSocket()
    try socket.listen()
    let descriptor = socket.descriptor
    self.descriptor = descriptor
    endpoint = socket.endpoint
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    self.ends = ends
    let parts = RawPeer.frame(part, more: true)
    let block = Array(repeatElement(parts, count: max(1, 65_536 / parts.count)).joined())
    let thread = SystemThread.start {
      var served = 0
      while case let client = accept(descriptor, nil, nil), client >= 0 {
        defer { continuation.yield() }
        let peer = RawPeer(connected: client)
        if let peers, served == peers { continue }
        served += 1
        // Sending fails when the peer has ended the connection.
        try? {
          try peer.send(RawPeer.handshake(as: type))
          try peer.receiveHandshake()
          for _ in 0..<max(1, burst / block.count) { try peer.send(block) }
          if isWhole { return try peer.send(message: part) }
          while true {
            usleep(1000)
            try peer.send(parts)
          }
        }()
      }
      continuation.finish()
      close(descriptor)
    }
    if let thread { pthread_detach(thread) }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
