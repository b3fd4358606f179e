import OperatingSystem

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
  /// When the last try was.
  public var lastAttemptTime: MonotonicInstant?
  /// When the next try is; nil when none is planned.
  public var nextAttemptTime: MonotonicInstant?
  /// How far back the node's ring of recent frames reaches.
  public var ring: Duration
  /// Who may configure the camera and set its controls alone; nil if everybody may.
  public var lease: Lease?
  /// What it is configured to, apart from its format and its controls.
  public var configuration: CameraConfiguration
  /// After how long without users the node closes the camera; nil if it never does.
  public var idleAfter: Duration?
  /// Which part of the picture must look different for a ``SubjectAreaChange``, 0...1; nil if there
  /// are no such events.
  public var subjectAreaThreshold: Double?
  /// Its live photos; nil while they are off.
  public var livePhotos: LivePhotoStatus?
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
  /// How its frames follow each other; nil while it does not run, and before its third frame.
  public var pace: FramePace?

  private enum CodingKeys: String, CodingKey {
    case name, device, state, since, interruption, error, readiness, format, frames, streams
    case recording, attempts, lastAttempt
    case lastAttemptTime = "lastAttemptMonotonicNanoseconds"
    case nextAttemptTime = "nextAttemptMonotonicNanoseconds"
    case ring = "ringNanoseconds"
    case lease, configuration
    case idleAfter = "idleAfterNanoseconds"
    case subjectAreaThreshold, livePhotos, configuredInput, adoption, refusals, remembered, pace
  }
}

/// How a camera's frames follow each other, by their timestamps: a line through those of the newest
/// frames. A frame is due at ``newest`` and at multiples of ``interval`` before and after.
public struct FramePace: Hashable, Sendable, Codable {
  /// Where the line is for the newest frame, by the node's clocks.
  public var newest: Timestamp
  /// From one frame to the next, in nanoseconds.
  public var interval: Double
  /// How far timestamps lie from the line, in nanoseconds: the root of the mean square.
  public var deviation: Double
  /// Of how many frames it is the line: those of the running stream, 256 at most.
  public var frames: Int

  private enum CodingKeys: String, CodingKey {
    case newest
    case interval = "intervalNanoseconds"
    case deviation = "deviationNanoseconds"
    case frames
  }
}

/// The right of one client to configure a camera and to set its controls alone, as everybody sees
/// it. The holder has a ``CameraLease``.
public struct Lease: Hashable, Sendable, Codable {
  /// How others know the holder.
  public var holder: String
  /// When it began.
  public var since: Timestamp
  /// After how long a silence of the holder it ends.
  public var term: Duration
  /// When it ends unless it is renewed, as of this message.
  public var expires: MonotonicInstant

  private enum CodingKeys: String, CodingKey {
    case holder, since
    case term = "termNanoseconds"
    case expires = "expiresMonotonicNanoseconds"
  }
}

/// One named stream of a camera's frames.
///
/// Counters begin with the node's start.
public struct StreamStatus: Hashable, Sendable, Codable {
  /// "preview", "full", "raw" or a size such as "320x240".
  public var name: String
  /// How many subscribers it has.
  public var subscribers: Int
  /// Frames that an encoder made for it; a frame passed through is published, not encoded.
  public var encoded: UInt64
  /// Frames published on it.
  public var published: UInt64
  /// Frames that came while every encoder was busy, and were dropped.
  public var droppedLate: UInt64
  /// Frames that were dropped for at least one subscriber because it was too slow. The others got
  /// them.
  public var droppedSlow: UInt64
  /// Frames that an encoder could not make a JPEG of; 0 from a node that does not count them.
  public var encodingFailed: UInt64
  /// Frames that were left out because of the pressure on the machine:
  /// ``SystemPressure/thinning``. Asked for or not, they are no losses: the stream's numbers have
  /// no gaps.
  public var thinnedByPressure: UInt64 = 0
  /// Frames that were left out to keep to the stream's own rate: ``StreamSettings/maximumRate``.
  public var thinnedByRate: UInt64 = 0
  /// Why nothing is published on it: no JPEG can be made of the camera's format, too many sizes are
  /// subscribed to, or it is switched off (`conflict`). Nil if it is published.
  public var error: Problem?
  /// What codes ``FrameStream/h264``, such as "libx264"; nil where nothing does now.
  public var encoder: String?
}

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
  /// How its pictures are coded.
  public var codec: VideoCodec
  /// The kind of its file.
  public var container: MovieContainer
  /// What codes the pictures, such as "libx264"; nil where the node codes none.
  public var encoder: String?
  /// Its sound; nil if it has none.
  public var sound: RecordingSound?
  /// From its first frame to its last one, without pauses.
  public var duration = Duration.zero
  /// Why it is paused; nil while it is not.
  public var pause: Pause?
  /// The files that were begun.
  public var files = 1
  /// How far back pictures are kept for the next clip; nil of a recording that makes no clips.
  public var reach: Duration?

  private enum CodingKeys: String, CodingKey {
    case id, started, frames, bytes, dropped, codec, container, encoder, sound, pause, files
    case duration = "durationNanoseconds"
    case reach = "reachNanoseconds"
  }
}

/// A camera's frames since its node started, by how they ended on their way into the node.
public struct FrameCounters: Hashable, Sendable, Codable {
  /// Frames delivered to the ring of recent frames.
  public var delivered: UInt64
  /// Frames lost by the camera: gaps in the driver's numbering.
  public var lostByCamera: UInt64
  /// Frames dropped by the node because the driver marked them as damaged.
  public var corrupted: UInt64
  /// Frames dropped by the node because they were cut short.
  public var truncated: UInt64
  /// Frames that the node skipped for newer ones.
  public var skipped: UInt64
  /// Frames dropped by the node because its memory for them was in use.
  public var poolExhausted: UInt64
  /// Frames that the node left out to keep to ``CameraConfiguration/maximumRate``.
  public var thinned: UInt64 = 0

  /// Frames lost in the node. Those that it left out on request are not among them.
  public var droppedByNode: UInt64 {
    // A node may send any number.
    [corrupted, truncated, skipped, poolExhausted].reduce(0) { $0.addingSaturated($1) }
  }

  /// The frames that were counted after earlier counters of the same camera.
  ///
  /// Counters start again with the node. After a restart the last counts of the earlier start are
  /// unknown, so these are the frames of the new start.
  /// - Parameter isSameStart: Whether the node was not restarted in between.
  package func counted(since earlier: FrameCounters, isSameStart: Bool) -> FrameCounters {
    guard isSameStart else { return self }
    func difference(_ counter: KeyPath<FrameCounters, UInt64>) -> UInt64 {
      let (now, before) = (self[keyPath: counter], earlier[keyPath: counter])
      return now > before ? now - before : 0
    }
    return FrameCounters(
      delivered: difference(\.delivered),
      lostByCamera: difference(\.lostByCamera),
      corrupted: difference(\.corrupted),
      truncated: difference(\.truncated),
      skipped: difference(\.skipped),
      poolExhausted: difference(\.poolExhausted),
      thinned: difference(\.thinned)
    )
  }
}
