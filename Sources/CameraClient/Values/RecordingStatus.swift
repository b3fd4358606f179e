/// A recording that is under way.
public struct RecordingStatus: Hashable, Sendable, Codable {
  /// The recording's id.
  public var id: Identifier
  /// When it began.
  public var started: Timestamp
  /// Frames written so far.
  public var frames: UInt64
  /// Bytes written so far.
  public var bytes: UInt64
  /// Frames that could not be written in time.
  public var dropped: UInt64
}
