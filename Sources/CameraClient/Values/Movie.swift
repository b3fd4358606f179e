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
  /// When it began: with a moment to begin at, that one.
  public var started: Timestamp
  /// When the first frame in the file was taken; nil of a recording in clips, which may have none.
  public var first: MovieFrameTime?
}

extension RecordingStart {
  /// The beginning of this recording.
  public init(_ recording: Recording) {
    self.init(id: recording.id, camera: recording.camera.name, started: recording.started)
  }
}

/// A file of a recording in segments or clips, which is complete.
public struct RecordedFile: Hashable, Sendable, Codable {
  /// Counts the recording's files from 1.
  public var number: Int
  /// The file in the library; nil where the library could not take it.
  public var asset: Asset?
  /// Frames in it.
  public var frames: UInt64
  /// Frames that the camera delivered between its first and its last one, and that are not in it.
  public var dropped: UInt64
  /// Why it ended: `cut` where the recording goes on.
  public var reason: Movie.EndReason
  /// When its first and its last frame were taken.
  public var first, last: MovieFrameTime?
  /// Why the library could not take it.
  public var error: Problem?
}

/// A movie that was recorded.
public struct Movie: Hashable, Sendable, Codable {
  /// The recording that made it.
  public var recordingID: Identifier
  /// The movie in the library; of several files the last one.
  public var asset: Asset
  /// Of a recording in segments or clips: how many files the library has of it, which
  /// ``AssetFilter/requestID`` finds.
  public var files = 1
  /// Frames in all its files.
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
    "\(asset.path), \(files > 1 ? "the last of \(files) files, " : "")\(frames) frames"
      + (reason.map { " (\($0))" } ?? "")
  }
}

extension RecordedFile: CustomStringConvertible {
  /// "file 3, cam/2026/….mp4, 150 frames".
  public var description: String {
    "file \(number), "
      + (asset?.path ?? "which the library could not take: \(error.map(\.message) ?? "unknown")")
      + ", \(frames) frames"
  }
}
