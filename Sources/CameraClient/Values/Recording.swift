/// A recording that was started.
public struct Recording: Hashable, Sendable, Codable {
  /// Names it.
  public var id: Identifier
  /// The camera it is of.
  public var camera: String
  /// When it began.
  public var started: Timestamp
}

/// A movie that was recorded.
public struct Movie: Hashable, Sendable, Codable {
  /// Why a recording ended.
  public enum EndReason: String, Hashable, Sendable, Codable {
    /// It was stopped.
    case stopped
    /// It reached the length or size it was started with.
    case limitReached
    /// The disk is full.
    case storageFull
    /// The camera went away.
    case cameraLost
    /// The node was stopped.
    case nodeStopped
    /// The disk failed.
    case storageFailed
    /// The node was killed; the movie was found and closed at its next start.
    case nodeKilled
    /// A newer node says something that this client does not know.
    case unknown
  }

  /// The recording it comes from.
  public var recordingID: Identifier
  /// The movie in the library; nil when no frame came, for then there is no file.
  public var asset: Asset?
  /// Frames in it.
  public var frames: UInt64
  /// Frames of the camera that came while it recorded and are not in it.
  public var dropped: UInt64
  /// Why it ended.
  public var reason: EndReason
}
