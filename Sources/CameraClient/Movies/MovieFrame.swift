import OperatingSystem

/// A frame of a movie: its number and exact time, which match those of the frame on the bus.
///
/// The movie file itself keeps whole milliseconds; the node writes these beside each frame.
public struct MovieFrame: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The camera's number of the frame, as ``CameraFrame/sequence``.
  public var sequence: UInt64
  /// The frame's timestamp on the node's monotonic clock.
  public var monotonicNanoseconds: Int64
  /// The same moment on the node's wall clock, nanoseconds since 1970.
  public var wallNanoseconds: Int64
  /// When players show it, since the beginning of the movie.
  public var milliseconds: Int64

  /// The number and the moment.
  public var description: String {
    "frame \(sequence) at \(WallTime.text(nanoseconds: wallNanoseconds))"
  }
}
