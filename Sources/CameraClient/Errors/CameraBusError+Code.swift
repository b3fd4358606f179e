// What the client finds by itself.
extension CameraBusError.Code {
  /// No node answers at the endpoint.
  public static let unreachable = Self(rawValue: "unreachable")
  /// The node requires a key, and the program has none.
  public static let keyRequired = Self(rawValue: "keyRequired")
  /// The node does not know the program's key, or no more.
  public static let notAuthorized = Self(rawValue: "notAuthorized")
  /// What answers does not have the node's key that the program knows.
  public static let wrongNode = Self(rawValue: "wrongNode")
  /// The node did not answer in time; what it did is not known.
  public static let timedOut = Self(rawValue: "timedOut")
  /// The ``CameraBus`` was closed.
  public static let closed = Self(rawValue: "closed")
  /// The peer does not speak the protocol.
  public static let protocolViolation = Self(rawValue: "protocolViolation")
  /// The photo was taken, and is too large to come with the capture. The library has it, from where
  /// ``CameraBus/download(_:to:overwrites:onProgress:)`` copies it.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// A file here has the name already, and it was not to be overwritten.
  public static let fileExists = Self(rawValue: "fileExists")
  /// The bytes that came are not those that were sent.
  public static let hashMismatch = Self(rawValue: "hashMismatch")
}
