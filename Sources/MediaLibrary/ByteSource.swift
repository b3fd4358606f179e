/// Bytes that somebody else owns, such as a frame in pooled memory: the library writes them without a copy.
package protocol ByteSource: Sendable {
  /// Calls `body` with all of them.
  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R
}

extension [UInt8]: ByteSource {
  package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    unsafe try body(span.bytes)
  }
}
