/// A failed operation, its reason and the remedy.
public struct ZeroMQError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason for a failure. New codes may be added, so a switch needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    init(_ description: String) { self.description = description }

    /// Another socket uses the endpoint or its port (`EADDRINUSE`), or another file has the path of
    /// an ipc endpoint.
    public static let addressInUse = Code("addressInUse")
    /// The machine has no such address or interface to bind to (`EADDRNOTAVAIL`, `ENODEV`).
    public static let addressNotAvailable = Code("addressNotAvailable")
    /// The text is not an endpoint (`EINVAL`).
    public static let malformedEndpoint = Code("malformedEndpoint")
    /// The transport does not exist, or this kind of socket cannot use it (`EPROTONOSUPPORT`,
    /// `ENOCOMPATPROTO`).
    public static let unsupportedTransport = Code("unsupportedTransport")
    /// The endpoint, or the folder of an ipc endpoint, does not exist (`ENOENT`).
    public static let notFound = Code("notFound")
    /// The system denies permission (`EACCES`, `EPERM`).
    public static let permissionDenied = Code("permissionDenied")
    /// A router has no peer with this routing ID (`EHOSTUNREACH`).
    public static let peerUnreachable = Code("peerUnreachable")
    /// The peer disconnected between the parts of one message, which is lost.
    public static let messageCutShort = Code("messageCutShort")
    /// A message had more parts than the socket accepts. It was dropped.
    public static let tooManyParts = Code("tooManyParts")
    /// The socket was closed (`ENOTSOCK`).
    public static let socketClosed = Code("socketClosed")
    /// The context was closed (`ETERM`).
    public static let contextClosed = Code("contextClosed")
    /// The context still has open sockets.
    public static let socketsOpen = Code("socketsOpen")
    /// The limit of sockets or of the process's descriptors is reached (`EMFILE`).
    public static let tooManySockets = Code("tooManySockets")
    /// The user's limit of threads is reached (`EAGAIN`).
    public static let tooManyThreads = Code("tooManyThreads")
    /// The socket's state does not allow the operation (`EFSM`).
    public static let wrongState = Code("wrongState")
    /// A text or byte array is not a CURVE key.
    public static let invalidKey = Code("invalidKey")
    /// The installed libzmq cannot encrypt.
    public static let curveUnavailable = Code("curveUnavailable")
    /// Memory is exhausted (`ENOMEM`).
    public static let outOfMemory = Code("outOfMemory")
    /// Any other error. The message has the system's description.
    public static let other = Code("other")
  }

  /// The reason, for programs.
  public var code: Code
  /// The reason and the remedy, for people.
  public var message: String
  /// The attempted operation, such as `bind`.
  public var operation: String
  /// The endpoint of the operation, if it has one.
  public var endpoint: String?

  init(_ code: Code, _ message: String, operation: String, endpoint: String? = nil) {
    self.code = code
    self.message = message
    self.operation = operation
    self.endpoint = endpoint
  }

  /// The message.
  public var description: String { message }
}
