/// What went wrong: a code for programs and a sentence for people that says what to do.
public struct CameraBusError: Error, Sendable, CustomStringConvertible {
  /// Why it failed: of a node, or of this program and the files that it writes here.
  public var code: Code
  /// One sentence with the remedy.
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
  /// The error underneath, where another one led to this: of the system, of ZeroMQ or of an earlier
  /// request.
  public var cause: (any Error)?

  /// An error with these contents.
  public init(
    _ code: Code,
    _ message: String,
    field: String? = nil,
    isRetryable: Bool = false,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.field = field
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
