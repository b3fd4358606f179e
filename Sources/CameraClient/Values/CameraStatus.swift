/// Everything that a node reports about one camera.
public struct CameraStatus: Hashable, Sendable, Codable {
  /// The camera's name on this node.
  public var name: String
  /// The device behind it; nil until one was found.
  public var device: Device?
  /// The state of its session.
  public var state: SessionState
  /// When that state began. An interruption or a failure lasts until a try to get the camera back
  /// succeeds.
  public var since: Timestamp
  /// Why it is interrupted; nil unless it is.
  public var interruption: InterruptionReason?
  /// What is wrong, while it is interrupted or failed.
  public var error: Problem?
  /// Whether it can take a photo.
  public var readiness: Readiness
  /// The format of its frames, while it is running. While it is idle: the one in which it starts
  /// again, unless that was changed.
  public var format: StreamFormat?
  /// The frames that it delivered and lost.
  public var frames: FrameCounters
  /// The streams that were subscribed to since the node started.
  public var streams: [StreamStatus]
  /// The recording, while there is one.
  public var recording: RecordingStatus?
  /// How often the node tried to get the camera back since it was interrupted or failed.
  public var attempts: Int
  /// What the last of these tries did and how far it came, for people; nil when there was none.
  public var lastAttempt: String?
  /// When the last try was, on the node's `CLOCK_MONOTONIC`.
  public var lastAttemptMonotonicNanoseconds: Int64?
  /// When the next try is, on the node's `CLOCK_MONOTONIC`; nil when none is planned.
  public var nextAttemptMonotonicNanoseconds: Int64?
  /// How far back the node's ring of recent frames reaches, nanoseconds.
  public var ringNanoseconds: Int64
  /// Who may configure the camera and set its controls alone; nil if everybody may.
  public var lease: Lease?
  /// What it is configured to, apart from its format and its controls.
  public var configuration: CameraConfiguration
  /// After how long without users the node closes the camera, nanoseconds; nil if it never does.
  public var idleAfterNanoseconds: UInt64?
  /// Which part of the picture must look different for a ``SubjectAreaChange``, 0...1; nil if there
  /// are no such events.
  public var subjectAreaThreshold: Double?
  /// The identity of the device that the node's configuration gives the camera; nil while it is the
  /// one in ``device``.
  public var configuredInput: String?
  /// How the node has come by the camera, if a rule made it of its device; nil if the node's
  /// configuration names it.
  public var adoption: CameraAdoption?
  /// What was wanted of the device when it was opened, and that it did not take.
  public var refusals: [RefusedSetting] = []
  /// What clients have changed and the next start of the node makes so again; nil if the node
  /// remembers nothing of the camera.
  public var remembered: RememberedChanges?
}
