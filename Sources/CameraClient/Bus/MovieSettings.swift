package import CameraProtocol
import SwiftProtobuf

/// What kind of movie a camera makes, and how its pictures are coded.
public struct MovieSettings: Hashable, Sendable {
  /// How the pictures are coded; nil is H.264 in an MP4, and else MJPEG.
  public var codec: VideoCodec?
  /// The kind of file; nil is an MP4 of H.264, and else Matroska.
  public var container: MovieContainer?
  /// 1 to 100, where the node encodes; nil leaves it to the node.
  public var quality: Int?
  /// Of H.264: bits a second, 10 000 to 1 000 000 000, instead of a quality.
  public var bitRate: UInt64?
  /// Of H.264: the longest time from one picture that needs no other one to the next, 0.1 to 60
  /// seconds; nil is one second.
  public var keyInterval: Duration?
  /// What files the recording has.
  public var files: MovieFiles
  /// What becomes of the recording when its camera is interrupted or fails.
  public var onCameraLost: CameraLostPolicy
  /// How often ``RecordingEvent/progress(_:)`` tells how far the recording is, 0.1 seconds to an
  /// hour; nil for never.
  public var progressInterval: Duration?
  /// A title for people: one line of at most 128 characters; empty for none. The file says it too.
  public var name: String
  /// Words by which ``AssetFilter`` finds it: at most 32, each of at most 64 characters and without
  /// a comma.
  public var tags: [String]
  /// Its sound; nil for a movie without.
  public var sound: SoundSettings?

  /// The camera's JPEGs in one Matroska file, unless you say otherwise.
  public init(
    codec: VideoCodec? = nil, container: MovieContainer? = nil, quality: Int? = nil,
    bitRate: UInt64? = nil, keyInterval: Duration? = nil, files: MovieFiles = .one,
    onCameraLost: CameraLostPolicy = .end, progressInterval: Duration? = nil,
    name: String = "", tags: [String] = [],
    sound: SoundSettings? = nil
  ) {
    self.codec = codec
    self.container = container
    self.quality = quality
    self.bitRate = bitRate
    self.keyInterval = keyInterval
    self.files = files
    self.onCameraLost = onCameraLost
    self.progressInterval = progressInterval
    self.name = name
    self.tags = tags
    self.sound = sound
  }

  /// H.264 in an MP4, which browsers and telephones play.
  public static let h264 = MovieSettings(codec: .h264)

  /// The request to start such a movie, whose rules the node has.
  package func request() throws(CameraBusError) -> WireRequest.OneOf_Body {
    var body = WireRecordStartRequest()
    try put(into: &body)
    return .recordStart(body)
  }

  func put(into body: inout WireRecordStartRequest) throws(CameraBusError) {
    body.quality = try Arguments.quality(quality)
    (body.name, body.tags) = (name, tags)
    if let codec {
      guard let wire = codec.wire else {
        throw Arguments.refusal("no node makes \(codec)", "codec")
      }
      body.codec = wire
    }
    if let container {
      guard let wire = container.wire else {
        throw Arguments.refusal("no node makes \(container)", "container")
      }
      body.container = wire
    }
    if bitRate == 0 { throw Arguments.refusal("a bit rate is above 0, or nil", "bitRate") }
    body.bitRate = bitRate ?? 0
    body.keyIntervalNs = try Arguments.limit(keyInterval, "keyInterval")
    if let sound { body.sound = try sound.wire }
    body.onCameraLost = onCameraLost.wire
    body.progressIntervalNs = try Arguments.limit(progressInterval, "progressInterval")
    switch files {
    case .one: break
    case .segments(let segments): body.segments = try segments.wire()
    case .clips(let clips): body.clips = try clips.wire()
    }
  }
}

/// What files a recording has.
public enum MovieFiles: Hashable, Sendable {
  /// A single one.
  case one
  /// One after the other, without a frame missing between two.
  case segments(MovieSegments)
  /// One around each trigger: the node keeps the last pictures in memory, and
  /// ``Recording/trigger(at:)`` or a change of a subject area puts them into a file, with those
  /// that follow.
  case clips(MovieClips)
}

/// When a recording goes on in its next file: at its length or at its size, whichever comes first.
public struct MovieSegments: Hashable, Sendable {
  /// How long each file is, a second to a day; nil for any length.
  public var duration: Duration?
  /// So many bytes end a file, at least 1 MiB; nil for any size.
  public var maximumBytes: UInt64?
  /// Whether files end at whole multiples of the duration since 1970 by the node's wall clock:
  /// those of an hour end at full hours (UTC).
  public var followsWallClock: Bool

  /// At least one of the first two is not nil.
  public init(
    duration: Duration? = nil, maximumBytes: UInt64? = nil, followsWallClock: Bool = false
  ) {
    self.duration = duration
    self.maximumBytes = maximumBytes
    self.followsWallClock = followsWallClock
  }

  fileprivate func wire() throws(CameraBusError) -> WireSegmentSettings {
    if maximumBytes == 0 {
      throw Arguments.refusal("maximumBytes is above 0, or nil for any size", "maximumBytes")
    }
    let duration = try Arguments.limit(duration, "duration")
    return .with {
      $0.durationNs = duration
      $0.bytes = maximumBytes ?? 0
      $0.wallClock = followsWallClock
    }
  }
}

/// How much a clip has around its trigger.
public struct MovieClips: Hashable, Sendable {
  /// Before it, at most a minute. The node keeps as much as it has memory for, and a clip begins
  /// with a picture that needs no other: H.264 up to ``MovieSettings/keyInterval`` earlier.
  public var before: Duration
  /// After it, and after each further trigger that comes meanwhile: at most an hour.
  public var after: Duration
  /// The node's cameras whose changes of the subject area are triggers too.
  public var subjectAreas: [String]

  /// Not both durations are zero.
  public init(before: Duration, after: Duration, subjectAreas: [String] = []) {
    self.before = before
    self.after = after
    self.subjectAreas = subjectAreas
  }

  fileprivate func wire() throws(CameraBusError) -> WireClipSettings {
    for (duration, name) in [(before, "before"), (after, "after")] where duration < .zero {
      throw Arguments.refusal("\(name) is not below 0, as \(duration) is", name)
    }
    for camera in subjectAreas { _ = try Arguments.camera(camera) }
    return .with {
      $0.beforeNs = before.wireNanoseconds
      $0.afterNs = after.wireNanoseconds
      $0.subjectAreas = subjectAreas
    }
  }
}
