/// A recording on a node. It goes on without this value and without this program, until it is
/// stopped or reaches a limit.
public struct Recording: Sendable, Identifiable, CustomStringConvertible {
  /// The id of the request that started it.
  public let id: Identifier
  /// The camera that records.
  public let camera: Camera
  /// When it began.
  public let started: Timestamp

  init(_ start: RecordingStart, by camera: Camera) {
    id = start.id
    self.camera = camera
    started = start.started
  }

  /// "the recording of cam since 2026-11-21T09:07:07.123456789Z".
  public var description: String { "the recording of \(camera.name) since \(started)" }
}

/// The beginning of a recording, as events tell it.
public struct RecordingStart: Hashable, Sendable, Codable {
  /// The recording's id.
  public var id: Identifier
  /// The camera's name.
  public var camera: String
  /// When it began.
  public var started: Timestamp
}

extension RecordingStart {
  /// The beginning of this recording.
  public init(_ recording: Recording) {
    self.init(id: recording.id, camera: recording.camera.name, started: recording.started)
  }
}

/// A movie that was recorded.
public struct Movie: Hashable, Sendable, Codable {
  /// The recording that made it.
  public var recordingID: Identifier
  /// The movie in the library.
  public var asset: Asset
  /// Frames in it.
  public var frames: UInt64
  /// Frames that the camera delivered while it recorded and that are not in it; nil where only the
  /// library was left to ask, which does not know.
  public var dropped: UInt64?
  /// Why it ended; nil where only the library was left to ask. The library knows only that a killed
  /// node's movie was closed at the next start, which is `nodeKilled`.
  public var reason: EndReason?
  /// When its first and its last frame were taken; nil where only the library was left to ask, and
  /// of a killed node's movie. ``MovieFrameSequence`` reads the times of all frames.
  public var first, last: MovieFrameTime?
  /// Its sound; nil if it has none, and where ``first`` is nil.
  public var sound: MovieSound?
}

/// When a frame of a movie was taken.
public struct MovieFrameTime: Hashable, Sendable, Codable {
  /// The frame's timestamp, by the node's clocks.
  public var timestamp: Timestamp
  /// When it was exposed, by the node's monotonic clock.
  public var exposure: ExposureBounds
}

extension Movie {
  /// The movie as far as the library knows it.
  init(_ asset: Asset, of recording: Identifier) {
    self.init(
      recordingID: recording,
      asset: asset,
      frames: asset.frames ?? 0,
      // The library marks nothing else as recovered.
      reason: asset.isRecovered ? .nodeKilled : nil
    )
  }
}

extension Movie: CustomStringConvertible {
  /// "cam/2026/….mkv, 150 frames (limitReached)".
  public var description: String {
    "\(asset.path), \(frames) frames" + (reason.map { " (\($0))" } ?? "")
  }
}
