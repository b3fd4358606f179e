/// A peer that has begun a handshake, as libzmq describes it to a ``ZAPHandler``.
public struct ConnectionRequest: Hashable, Sendable {
  /// What the peer has proven.
  public enum Credentials: Hashable, Sendable {
    /// Nothing (the mechanism NULL).
    case null
    /// It said a name and a password (PLAIN).
    case password(name: String, password: String)
    /// It has the secret half of this key (CURVE).
    case curve(CurvePublicKey)
    /// Another mechanism, by its name.
    case other(String)
  }

  /// Where the peer is.
  public enum Origin: Hashable, Sendable {
    /// The IP address of its machine.
    case address(String)
    /// A process of this machine, over ipc, with the user and group it had when it connected.
    case process(Int32, user: UInt32, group: UInt32)
    /// The system did not tell, for example because the peer has gone.
    case unknown
  }

  /// The domain of the socket: see ``Socket/requireAdmission(to:)``.
  public var domain: String
  /// The peer's machine or process.
  public var origin: Origin
  /// What the peer has proven.
  public var credentials: Credentials

  /// Makes a request, as a test of a judge needs it.
  public init(domain: String, origin: Origin, credentials: Credentials) {
    self.domain = domain
    self.origin = origin
    self.credentials = credentials
  }
}

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
