/// A recording that runs.
public struct RecordingStatus: Hashable, Sendable, Codable {
  /// Names the recording.
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
