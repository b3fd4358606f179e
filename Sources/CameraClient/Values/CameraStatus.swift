/// All that a node says of one camera.
public struct CameraStatus: Hashable, Sendable, Codable {
  /// The camera's name on this node.
  public var name: String
  /// The device behind it; nil until one was found.
  public var device: Device?
  /// What its session is doing.
  public var state: SessionState
  /// When that began. Tries to get the camera back do not end an interruption or a failure until
  /// one succeeds.
  public var since: Timestamp
  /// Why it is interrupted; nil unless it is.
  public var interruption: InterruptionReason?
  /// What is wrong, while it is interrupted or failed.
  public var error: Problem?
  /// Whether it can take a photo.
  public var readiness: Readiness
  /// The format of its frames, while it is running.
  public var format: StreamFormat?
  /// What became of its frames.
  public var frames: FrameCounters
  /// The streams that somebody subscribed to since the node started.
  public var streams: [StreamStatus]
  /// The recording, while there is one.
  public var recording: RecordingStatus?
  /// How often the node tried to get the camera back since it was interrupted or failed.
  public var attempts: Int
  /// What the last of these tries did and how far it came, for people; nil when there was none.
  public var lastAttempt: String?
  /// When that was, on the node's `CLOCK_MONOTONIC`.
  public var lastAttemptMonotonicNanoseconds: Int64?
  /// When the next try is, on the node's `CLOCK_MONOTONIC`; nil when none is planned.
  public var nextAttemptMonotonicNanoseconds: Int64?
  /// How far back the node's ring of recent frames reaches, nanoseconds.
  public var ringNanoseconds: Int64
}
