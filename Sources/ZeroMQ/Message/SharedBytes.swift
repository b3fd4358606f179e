/// An object whose bytes a socket sends without a copy.
///
/// Once sent, the bytes must not change. Their address must stay the same for the object's life.
public protocol SharedBytes: AnyObject, Sendable {
  /// Calls `body` with the bytes, which are valid only during the call.
  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R
}
