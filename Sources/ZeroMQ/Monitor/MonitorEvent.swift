/// Something that happened to one of a socket's connections.
public struct MonitorEvent: Hashable, Sendable {
  /// What can happen.
  public enum Kind: Hashable, Sendable {
    /// The socket accepts peers.
    case listening
    /// It could not be bound.
    case bindFailed(errno: Int32)
    /// A peer came; the handshake follows.
    case accepted
    /// A peer came and could not be let in.
    case acceptFailed(errno: Int32)
    /// An attempt to connect began and takes its time.
    case connecting
    /// An attempt failed; this long until the next.
    case retrying(after: Duration)
    /// Connected; the handshake follows.
    case connected
    /// Both sides agreed: messages can flow.
    case handshakeSucceeded
    /// They did not.
    case handshakeFailed(HandshakeFailure)
    /// The connection broke or was closed by the peer.
    case disconnected
    /// The endpoint or the connection was closed from here.
    case closed
    /// It could not be closed.
    case closeFailed(errno: Int32)
    /// An event that this module does not know, with libzmq's number and value.
    case other(UInt16, value: UInt32)
  }

  /// Why a handshake failed.
  public enum HandshakeFailure: Hashable, Sendable {
    /// The connection broke in the middle, among the reasons: the peer does not encrypt, or with other keys.
    case connection(errno: Int32)
    /// The peer broke the protocol: libzmq's `ZMQ_PROTOCOL_ERROR_…`.
    case violation(code: UInt32)
    /// The peer's ZAP handler refused: 300 to try again, 400 for wrong credentials, 500 for its own failure.
    case refused(status: UInt32)
  }

  /// What happened.
  public var kind: Kind
  /// Of which endpoint.
  public var endpoint: String
}
