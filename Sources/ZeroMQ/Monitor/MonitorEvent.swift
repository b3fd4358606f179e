import CZeroMQ
import Glibc

/// An event on one of a socket's connections.
public struct MonitorEvent: Hashable, Sendable {
  /// The kinds of events.
  public enum Kind: Hashable, Sendable {
    /// The socket accepts peers.
    case listening
    /// Binding failed.
    case bindFailed(errno: Int32)
    /// A peer connected; the handshake follows.
    case accepted
    /// Accepting a peer failed.
    case acceptFailed(errno: Int32)
    /// Connecting has begun and is not finished yet.
    case connecting
    /// An attempt to connect failed. The next one follows after this time.
    case retrying(after: Duration)
    /// The connection is made; the handshake follows.
    case connected
    /// The handshake is complete, so messages can flow.
    case handshakeSucceeded
    /// The handshake failed.
    case handshakeFailed(HandshakeFailure)
    /// The connection broke or the peer closed it.
    case disconnected
    /// This side closed the endpoint or the connection.
    case closed
    /// Closing failed.
    case closeFailed(errno: Int32)
    /// An event that this module does not know, with libzmq's number and value.
    case other(UInt16, value: UInt32)
  }

  /// Why a handshake failed.
  public enum HandshakeFailure: Hashable, Sendable {
    /// The connection broke during the handshake. One reason is that the peer does not encrypt or
    /// uses other keys. Another is that the peer was silent for the handshake timeout: libzmq then
    /// reports the last error of its thread, whatever that was.
    case connection(errno: Int32)
    /// The peer violated the protocol. The code is one of libzmq's `ZMQ_PROTOCOL_ERROR_…`.
    case violation(code: UInt32)
    /// The peer's ZAP handler refused with 300 (try again), 400 (wrong credentials) or 500 (its own
    /// failure).
    case refused(status: UInt32)

    /// Whether one side encrypts and the other does not.
    package var isMismatch: Bool {
      if case .violation(let code) = self {
        code == UInt32(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
      } else {
        false
      }
    }

    /// Whether this side did not let the peer in.
    package var isRefusal: Bool {
      if case .connection = self { false } else { true }
    }

    /// Whether the peer neither closed the connection nor said anything wrong.
    package var isSilence: Bool {
      if case .connection(let errno) = self { errno != EPIPE && errno != ECONNRESET } else { false }
    }
  }

  /// What happened.
  public var kind: Kind
  /// The endpoint concerned.
  public var endpoint: String
  /// The descriptor of the connection or of the listening socket, if the event is about one. It may
  /// be closed by now, or another one's.
  package var descriptor: Int32?
}
