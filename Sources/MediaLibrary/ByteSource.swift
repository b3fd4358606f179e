/// Bytes in memory that the library does not own, such as a frame from the pool. The library writes
/// them without a copy.
package protocol ByteSource: Sendable {
  /// Calls `body` with all bytes.
  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R
}

extension [UInt8]: ByteSource {
  package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    unsafe try body(span.bytes)
  }
}
