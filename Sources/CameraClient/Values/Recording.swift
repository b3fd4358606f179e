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
