/// What failed, and what to do about it.
public struct ZeroMQError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why it failed. Open: more may come, so a switch needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    init(_ description: String) { self.description = description }

    /// The endpoint, or the port in it, belongs to another socket (`EADDRINUSE`).
    public static let addressInUse = Code("addressInUse")
    /// The machine has no such address or interface to bind to (`EADDRNOTAVAIL`, `ENODEV`).
    public static let addressNotAvailable = Code("addressNotAvailable")
    /// The text is no endpoint (`EINVAL`).
    public static let malformedEndpoint = Code("malformedEndpoint")
    /// There is no such transport, or this kind of socket cannot use it (`EPROTONOSUPPORT`, `ENOCOMPATPROTO`).
    public static let unsupportedTransport = Code("unsupportedTransport")
    /// The endpoint, or the folder of an ipc endpoint, does not exist (`ENOENT`).
    public static let notFound = Code("notFound")
    /// The system does not allow it (`EACCES`, `EPERM`).
    public static let permissionDenied = Code("permissionDenied")
    /// A router has no peer of that routing ID (`EHOSTUNREACH`).
    public static let peerUnreachable = Code("peerUnreachable")
    /// The peer went away between the parts of one message, which is lost.
    public static let messageCutShort = Code("messageCutShort")
    /// A message of more parts than the socket takes; it was thrown away.
    public static let tooManyParts = Code("tooManyParts")
    /// The socket was closed (`ENOTSOCK`).
    public static let socketClosed = Code("socketClosed")
    /// The context was closed (`ETERM`).
    public static let contextClosed = Code("contextClosed")
    /// The context cannot close before its sockets.
    public static let socketsOpen = Code("socketsOpen")
    /// The limit of sockets, or of the process's descriptors, is reached (`EMFILE`).
    public static let tooManySockets = Code("tooManySockets")
    /// The socket cannot do this now (`EFSM`).
    public static let wrongState = Code("wrongState")
    /// A text or bytes that are no CURVE key.
    public static let invalidKey = Code("invalidKey")
    /// The installed libzmq cannot encrypt.
    public static let curveUnavailable = Code("curveUnavailable")
    /// There is no memory left (`ENOMEM`).
    public static let outOfMemory = Code("outOfMemory")
    /// What has no code of its own; the message has the system's words.
    public static let other = Code("other")
  }

  /// Why, for programs.
  public var code: Code
  /// A sentence for a person, with the remedy.
  public var message: String
  /// What was tried, such as `bind`.
  public var operation: String
  /// The endpoint that was given, where there was one.
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
