/// An object whose bytes a socket sends without copying them.
///
/// The bytes must not change once they were sent, and have the same address for the object's whole life.
public protocol SharedBytes: AnyObject, Sendable {
  /// Lends the bytes to `body`.
  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R
}
