/// What went wrong: a code for programs, a sentence for people that says what to do.
public struct CameraBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why it failed.
  public var code: Code
  /// One sentence with the remedy.
  public var message: String
  /// The offending field by its path in the request, such as `capture.quality`, where there is one.
  public var field: String?
  /// Whether the same request may succeed later.
  public var isRetryable: Bool
  /// The request that failed, where it may have left something: a photo or a recording. After `outcomeUnknown`,
  /// ``CameraBus/assets(ofCamera:madeFor:limit:)`` tells what there is of it.
  public var requestID: Identifier?

  /// An error with these contents.
  public init(_ code: Code, _ message: String, field: String? = nil, isRetryable: Bool = false) {
    self.code = code
    self.message = message
    self.field = field
    self.isRetryable = isRetryable
  }

  /// The message.
  public var description: String { message }
}
