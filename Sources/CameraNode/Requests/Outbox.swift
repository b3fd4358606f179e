import CameraProtocol
import ZeroMQ

/// Sends replies to clients. Used on the socket's loop only.
///
/// libzmq bounds the number of messages that wait for a client. A picture or a chunk of a file is
/// as large as a thousand other messages, so the outbox also bounds their bytes, for each client
/// and for all of them. Clients that do not read cannot take more memory than that. If too much
/// waits for all clients together, the outbox disconnects the one that has taken nothing for the
/// longest time, so that a client that reads is served however many do not. libzmq may keep the
/// bytes of that one for a while. They count too: if there are many, only clients for which nothing
/// waits get larger replies, up to half the limit of all.
final class Outbox {
  enum Delivery {
    case sent
    /// Too many messages or bytes wait for this client; the reply is dropped.
    case noRoom
    /// The client has disconnected.
    case gone
  }

  /// The most messages that libzmq queues for one client, not counting those already on the wire.
  static let messageLimit = 500
  /// Parts smaller than this, in bytes, are copied and not counted, because libzmq keeps more than
  /// that for each. The message limit bounds them.
  private static let smallest = 256

  private let socket: Socket<Router>
  private let unsent = UnsentBytes()
  private let byteLimit: Int
  private let totalByteLimit: Int
  private let end: (PeerConnection) -> Void
  private var connections: [ClientAddress: PeerConnection] = [:]
  /// With this many connections those that have ended are removed.
  private var pruningCount = 64

  /// - Parameters:
  ///   - byteLimit: The most bytes that wait for one client.
  ///   - totalByteLimit: The most bytes that wait for all clients.
  ///   - end: Ends the connection of a client that takes nothing.
  init(
    _ socket: Socket<Router>, byteLimit: Int, totalByteLimit: Int,
    end: @escaping (PeerConnection) -> Void
  ) {
    self.socket = socket
    self.end = end
    self.byteLimit = byteLimit
    self.totalByteLimit = totalByteLimit
    socket.sendHighWaterMark = Self.messageLimit
  }

  /// - Parameter handler: Called on any thread when a client's waiting bytes fall below
  ///   `UnsentBytes.mark`.
  func onRoom(_ handler: @escaping @Sendable (ClientAddress) -> Void) { unsent.onRoom(handler) }

  /// - Parameter handler: Called on any thread when little waits after much has waited.
  func onLull(_ handler: @escaping @Sendable () -> Void) { unsent.onLull(handler) }

  /// Whether fewer than `UnsentBytes.mark` bytes wait for the client.
  func hasRoom(for client: ClientAddress) -> Bool { unsent[client] < UnsentBytes.mark }

  /// Call this for each message, so that the outbox can end the connection of the client.
  func received(from client: ClientAddress, over connection: PeerConnection) {
    connections[client] = connection
    guard connections.count >= pruningCount else { return }
    connections = connections.filter { $0.value.isOpen }
    pruningCount = max(64, 2 * connections.count)
  }

  /// The client that had the connection, which has ended; nil if none is known. It counts as gone
  /// until it sends again.
  func client(ofEnded connection: PeerConnection) -> ClientAddress? {
    let client = connections.first { $0.value == connection }?.key
    if let client { connections[client] = nil }
    return client
  }

  /// Whether the connection over which the client sent last is open.
  func isConnected(_ client: ClientAddress) -> Bool { connections[client]?.isOpen ?? false }

  func send(_ reply: ReplyParts, to client: ClientAddress) -> Delivery {
    let own = unsent[client]
    guard own + reply.byteCount <= byteLimit else { return .noRoom }
    let isSmall = reply.byteCount < Self.smallest
    guard isSmall || unsent.ending <= totalByteLimit / (own == 0 ? 2 : 4) else { return .noRoom }
    while unsent.open + reply.byteCount > totalByteLimit, let stalest = unsent.endStalest() {
      connections[stalest].map(end)
      if stalest == client { return .gone }
    }
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
