import CameraProtocol
import ZeroMQ

/// The way of replies to clients. On the socket's loop.
///
/// libzmq counts the messages that wait for a client, but a picture or a chunk of a file weighs as much as a thousand
/// others: so bytes are counted too, and a client that does not read costs no more than they.
final class Outbox {
  /// What became of a reply.
  enum Delivery {
    case sent
    /// Too much waits for this client.
    case noRoom
    /// There is no client of this address any more.
    case gone
  }

  /// Messages of one client that may wait, with what is in flight beside.
  static let messageLimit = 1000
  /// Parts below are copied, which is cheaper than to count them: the number of messages bounds them.
  private static let smallest = 1024

  private let socket: Socket<Router>
  private let unsent = UnsentBytes()
  private let byteLimit: Int

  init(_ socket: Socket<Router>, byteLimit: Int) {
    self.socket = socket
    self.byteLimit = byteLimit
    socket.sendHighWaterMark = Self.messageLimit
  }

  /// - Parameter handler: called on any thread when a client that had `UnsentBytes.mark` bytes waiting has fewer.
  func onRoom(_ handler: @escaping @Sendable (ClientAddress) -> Void) { unsent.onRoom(handler) }

  /// Whether the client takes what is sent to it: little waits.
  func hasRoom(for client: ClientAddress) -> Bool { unsent[client] < UnsentBytes.mark }

  func send(_ reply: ReplyParts, to client: ClientAddress) -> Delivery {
    guard unsent[client] + reply.byteCount <= byteLimit else { return .noRoom }
    do throws(ZeroMQError) {
      guard try socket.send(client, more: true) else { return .noRoom }
      _ = try socket.send(Framing.signature, more: true)
      try send(reply.message, to: client, more: reply.attachment != nil)
      if let attachment = reply.attachment { try send(attachment, to: client, more: false) }
      return .sent
    } catch {
      return .gone
    }
  }

  private func send(_ part: [UInt8], to client: ClientAddress, more: Bool) throws(ZeroMQError) {
    if part.count < Self.smallest {
      _ = try socket.send(part, more: more)
    } else {
      _ = try socket.send(sharing: unsent.parcel(part, for: client), more: more)
    }
  }
}
