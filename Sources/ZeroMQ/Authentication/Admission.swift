/// The answer to a ``ConnectionRequest``.
public enum Admission: Hashable, Sendable {
  /// The peer may connect. Each of its messages then carries the name: see ``Message/userID``.
  /// A name has at most 255 bytes.
  case admitted(as: String)
  /// The peer may not connect. Its monitor gets `handshakeFailed(.refused(status: 400))`, and it
  /// does not try again.
  case refused
  /// The peer gets no answer. libzmq closes its connection after ``Socket/handshakeTimeout``, and
  /// it tries again.
  case notNow
}
