/// What went wrong: a code for programs and a sentence for people that says what to do.
public struct CameraBusError: Error, Sendable, CustomStringConvertible {
  /// Why it failed: of a node, or of this program and the files that it writes here.
  public var code: Code
  /// Which of the code's causes it is, where a program may want to tell them apart.
  public var reason: Reason?
  /// One sentence with the remedy. No program needs to read it.
  public var message: String
  /// The offending field by its path in the request, such as `capture.quality`, where there is one.
  public var field: String?
  /// Whether the same request may succeed later.
  public var isRetryable: Bool
  /// The request that failed, where it may have left a photo or a recording behind. After
  /// `outcomeUnknown`, ``CameraBus/assets(_:limit:)`` lists what there is of it.
  public var requestID: Identifier?
  /// With `forbidden`: the role that the request needs; nil where it is the camera that the key is
  /// not for.
  public var neededRole: KeyRole?
  /// With ``Reason/sessionStopped``: which camera is stopped, which may be the depth camera of the
  /// one that was asked.
  public var camera: String?
  /// How many files of the request's photos are in the library although it failed.
  public var keptFiles = 0
  /// The error underneath, where another one led to this: of the system, of ZeroMQ or of an earlier
  /// request.
  public var cause: (any Error)?

  /// An error with these contents.
  public init(
    _ code: Code,
    _ message: String,
    field: String? = nil,
    reason: Reason? = nil,
    isRetryable: Bool = false,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.field = field
    self.reason = reason
    self.isRetryable = isRetryable
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}

/// Errors are equal when they say the same; their causes are not compared.
extension CameraBusError: Hashable {
  /// Compares everything but the causes.
  public static func == (left: CameraBusError, right: CameraBusError) -> Bool {
    left.code == right.code && left.message == right.message && left.field == right.field
      && left.isRetryable == right.isRetryable && left.requestID == right.requestID
      && left.reason == right.reason && left.camera == right.camera
      && left.keptFiles == right.keptFiles
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(field)
    hasher.combine(isRetryable)
    hasher.combine(requestID)
  }
}

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
