import CameraProtocol
import FoundationEssentials
import SwiftProtobuf

extension Camera {
  /// How far ahead a recording's end may lie.
  private static let stopAhead = Duration.seconds(60)

  /// Starts to record a movie into the node's library.
  ///
  /// The recording goes on when this program ends, until it is stopped or reaches a limit.
  /// ``Recording/movie()`` waits for its end.
  /// - Parameters:
  ///   - settings: What kind of movie: JPEGs in Matroska, unless you say otherwise.
  ///   - maximumDuration: The length at which it ends by itself; nil is no limit.
  ///   - maximumBytes: The size at which it ends by itself, at least 64 KiB; nil is no limit.
  ///   - from: A moment of the node's monotonic clock, at most a minute ahead: the first frame is
  ///     the one nearest to it. This returns before it, when the camera is ready. Nil is the next
  ///     frame.
  ///   - until: A moment of the node's monotonic clock: the last frame is the one nearest to it.
  ///     Nil is no end.
  /// - Throws: `conflict` while the camera makes another recording; `unsupportedFormat` if no JPEG
  ///   can be made of its frames; `notRunning` while it is stopped, and the error of the camera's
  ///   device while it is interrupted; `storageFull`; `invalidArgument`; `frameUnavailable` with
  ///   the reason `late` if the first frame has passed when the camera is ready; `outcomeUnknown`
  ///   when the node restarted meanwhile. The library then has what there is of the movie, under
  ///   ``CameraBusError/requestID``.
  public func startRecording(
    _ settings: MovieSettings = MovieSettings(),
    maximumDuration: Duration? = nil,
    maximumBytes: UInt64? = nil,
    from: MonotonicInstant? = nil,
    until: MonotonicInstant? = nil
  ) async throws(CameraBusError) -> Recording {
    let maximumDuration = try Arguments.limit(maximumDuration, "maximumDuration")
    if maximumBytes == 0 {
      throw Arguments.refusal("maximumBytes is above 0, or nil for no limit", "maximumBytes")
    }
    let from = try Arguments.moment(from, "from")
    let until = try Arguments.moment(until, "until")
    var body = WireRecordStartRequest.with {
      $0.camera = name
      $0.maximumDurationNs = maximumDuration
      $0.maximumBytes = maximumBytes ?? 0
      $0.fromMonotonicNs = from
      $0.untilMonotonicNs = until
    }
    try settings.put(into: &body)
    let id = RequestID.random()
    do throws(CameraBusError) {
      guard
        case .recordStarted(let started) = try await bus.request(
          .recordStart(body), .changing, id: id),
        let start = RecordingStart(started), start.id == Identifier(id), start.camera == name
      else { throw .unexpectedReply }
      return Recording(start, by: self)
    } catch {
      throw error.of(Identifier(id))
    }
  }

  /// Pauses the camera's recording, of any client: no time passes in the movie, and no frame counts
  /// as missing.
  /// - Parameter recording: Pauses this recording only.
  /// - Throws: `conflict` when the camera makes none, or not that one, or when it is about to end.
  @discardableResult
  public func pauseRecording(
    _ recording: Identifier? = nil
  ) async throws(CameraBusError) -> RecordingStatus {
    try await change(
      .recordPause(
        .with {
          $0.camera = name
          $0.recording = Data(recording?.bytes ?? [])
        }))
  }

  /// Lets the camera's paused recording go on.
  /// - Parameter recording: This recording only.
  /// - Throws: `conflict` when the camera makes none, or not that one, or is lost: then it goes on
  ///   when the camera is back.
  @discardableResult
  public func resumeRecording(
    _ recording: Identifier? = nil
  ) async throws(CameraBusError) -> RecordingStatus {
    try await change(
      .recordResume(
        .with {
          $0.camera = name
          $0.recording = Data(recording?.bytes ?? [])
        }))
  }

  /// Makes a clip of what is around a moment, with a recording in ``MovieFiles/clips(_:)``. If a
  /// clip is under way then, it lasts longer.
  /// - Parameters:
  ///   - moment: A moment of the node's monotonic clock, at most a minute ahead and at most
  ///     ``MovieClips/before`` ago; nil is now.
  ///   - recording: By this recording only.
  /// - Throws: `conflict` when the camera makes no such recording; `frameUnavailable` with the
  ///   reason `late` if the moment is too long ago.
  @discardableResult
  public func triggerClip(
    at moment: MonotonicInstant? = nil, of recording: Identifier? = nil
  ) async throws(CameraBusError) -> RecordingStatus {
    let moment = try Arguments.moment(moment, "moment")
    return try await change(
      .recordTrigger(
        .with {
          $0.camera = name
          $0.recording = Data(recording?.bytes ?? [])
          $0.atMonotonicNs = moment
        }))
  }

  private func change(
    _ request: WireRequest.OneOf_Body
  ) async throws(CameraBusError) -> RecordingStatus {
    guard case .recording(let wire) = try await bus.request(request, .changing),
      let status = RecordingStatus(wire)
    else { throw .unexpectedReply }
    return status
  }

  /// The recording that the camera makes now for any client; nil when it makes none.
  public func recording() async throws(CameraBusError) -> Recording? {
    try await status().recording.map { running in
      Recording(
        RecordingStart(id: running.id, camera: name, started: running.started), by: self)
    }
  }

  /// Stops the camera's recording, of any client, and waits until the movie is safe on the
  /// node's disk.
  ///
  /// - Parameters:
  ///   - recording: Stops this recording only; nil stops the one that the camera makes.
  ///   - moment: A moment of the node's monotonic clock, at most a minute ahead: the last frame is
  ///     the one nearest to it. Nil, or one that has passed, is the newest frame.
  /// - Throws: `conflict` when the camera makes none, or not that one; `frameUnavailable` when no
  ///   frame came; `storageFailed`.
  public func stopRecording(
    _ recording: Identifier? = nil, at moment: MonotonicInstant? = nil
  ) async throws(CameraBusError) -> Movie {
    let moment = try Arguments.moment(moment, "moment")
    let body = WireRecordStopRequest.with {
      $0.camera = name
      $0.recording = Data(recording?.bytes ?? [])
      $0.atMonotonicNs = moment
    }
    let ahead = moment > 0 ? Self.stopAhead : .zero
    guard
      case .record(let result) = try await bus.request(
        .recordStop(body), .changing, wait: ahead)
    else { throw .unexpectedReply }
    guard let id = Identifier(bytes: result.recording), id == recording ?? id else {
      throw .unexpectedReply
    }
    guard result.hasAsset else { throw CameraBusError(.noFrameRecorded) }
    guard let movie = Movie(result), movie.asset.camera == name else { throw .unexpectedReply }
    return movie
  }
}
