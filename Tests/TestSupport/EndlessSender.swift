import Glibc
import OperatingSystem

/// A port that speaks ZMTP 3.0 by itself, and sends every peer a message of very many parts, which
/// usually does not end.
package final class EndlessSender: Sendable {
  /// What became of a connection.
  package struct Outcome: Sendable {
    package let sentByteCount: Int
    /// Whether the peer ended it.
    package let isCut: Bool
  }

  package let endpoint: String
  /// One for each connection.
  package let outcomes: AsyncStream<Outcome>
  private let descriptor: Int32

  /// - Parameters:
  ///   - type: What the port claims to be: "XPUB", "ROUTER".
  ///   - most: How many bytes it sends over a connection before it closes that.
  ///   - isWhole: Whether the last part follows then.
  package init(as type: String, part: [UInt8], most: Int, isWhole: Bool = false) throws {
    let socket = try LoopbackSocket()
    try socket.listen()
    let descriptor = socket.descriptor
    self.descriptor = descriptor
    endpoint = socket.endpoint
    let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
    self.outcomes = outcomes
    let parts = RawPeer.frame(part, more: true)
    let block = Array(repeatElement(parts, count: max(1, 65_536 / parts.count)).joined())
    let thread = SystemThread.start {
      while case let client = accept(descriptor, nil, nil), client >= 0 {
        let peer = RawPeer(connected: client)
        var sent = 0
        var isCut = false
        do {
          try peer.send(RawPeer.handshake(as: type))
          try peer.receiveHandshake()
          while sent < most {
            try peer.send(block)
            sent += block.count
          }
          if isWhole { try peer.send(message: part) }
        } catch {
          isCut = true
        }
        continuation.yield(Outcome(sentByteCount: sent, isCut: isCut))
      }
      continuation.finish()
      close(descriptor)
    }
    if let thread { pthread_detach(thread) }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
