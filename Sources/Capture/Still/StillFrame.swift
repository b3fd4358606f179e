/// A frame of another format than the stream's, taken between two parts of the stream.
package struct StillFrame: Sendable {
  package var frame: Frame
  /// From the last frame of the stream before it to the first after it, nanoseconds; if the stream
  /// has not gone on, until the session gave up waiting for that.
  package var gap: Int64
  /// How long the photo waited until its idle camera streamed, nanoseconds.
  package var start: Int64 = 0
}
