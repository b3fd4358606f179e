import Imaging
import OperatingSystem
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop
import MediaLibrary
import Recording

extension ControlService {
  /// JPEG quality of movies where the request does not say; the same as of the `full` stream, so
  /// that one encoding serves both.
  static let movieQuality = CameraStreams.quality

  func startRecording(
    _ body: WireRecordStartRequest, id: RequestID, until deadline: MonotonicTime
  ) {
    guard let camera = camera(body.camera, for: id) else { return }
    guard case .running = camera.sessionStatus.state, let format = camera.sessionStatus.format
    else {
      return fail(
        id, CaptureError(.notRunning, "the camera's session is not running: start it first"))
    }
    guard !camera.isRecording else {
      return fail(
        id, WireError(.conflict, "\(camera.name) records already: stop that recording first"))
    }
    camera.isRecordingStarting = true
    let clock = WallClockSample.now()
    let description = AssetDescription(
      camera: camera.name, mediaType: .matroska, width: format.layout.size.width,
      height: format.layout.size.height,
      createdAt: MonotonicTime.now.nanoseconds + clock.offset, requestID: id.bytes)
    performInLibrary(id, until: deadline) { (library) throws(MediaLibraryError) in
      try library.beginMovie(description)
    } then: { service, result in
      camera.isRecordingStarting = false
      defer { service.workEnded() }
      switch result {
      case .failure(let error): service.fail(id, error)
      case .success(let movie):
        guard !service.isStopping, camera.sessionStatus.format == format else {
          return service.giveUp(movie, id: id)
        }
        service.begin(movie, body, of: camera, format, id: id)
      }
    }
  }

  func stopRecording(_ body: WireRecordStopRequest, id: RequestID) {
    guard let camera = camera(body.camera, for: id) else { return }
    guard camera.recording != nil else {
      return fail(
        id, WireError(.conflict, "\(camera.name) does not record: start a recording first"))
    }
    camera.recording?.stopRequests.append(id)
    finishRecording(of: camera, reason: .stopped)
  }

  /// Ends a camera's recording, if there is one; its outcome follows in `recordingEnded`.
  func finishRecording(of camera: CameraService, reason: MovieSummary.EndReason) {
    guard let recording = camera.recording else { return }
    let (recorder, streams) = (recording.recorder, camera.streams)
    let quality = recording.quality
    frameLoop.perform {
      streams.jpegs(quality: quality).remove(recorder)
      recorder.stop(reason)
    }
  }

  /// The camera was stopped or given another format while the movie's file was being made.
  private func giveUp(_ movie: AssetDraft, id: RequestID) {
    library.perform { (library) throws(MediaLibraryError) in
      try library.discard(movie)
    } then: { [self] _ in
      enter {
        $0.fail(
          id, CaptureError(.interrupted, "the camera's session ended: start it and record again"),
          isDone: true)
      }
    }
  }

  private func begin(
    _ movie: AssetDraft, _ body: WireRecordStartRequest, of camera: CameraService,
    _ format: StreamFormat, id: RequestID
  ) {
    let recorder = MovieRecorder(
      loop: camera.recordingLoop, syncLoop: syncLoop, path: movie.path, title: camera.name,
      framesPerSecond: format.frameRate?.framesPerSecond,
      limits: MovieRecorder.Limits(
        duration: body.maximumDurationNs == 0 ? nil : Int64(clamping: body.maximumDurationNs),
        byteCount: body.maximumBytes == 0 ? nil : Int(clamping: body.maximumBytes))
    ) { [weak self] summary in
      self?.store(movie, summary, of: camera, recording: id)
    }
    let quality = body.quality == 0 ? Self.movieQuality : Int(body.quality)
    let recording = ActiveRecording(
      id: id, recorder: recorder, quality: quality, started: WireTimestamp(.now, .now()))
    camera.recording = recording
    let streams = camera.streams
    frameLoop.perform { streams.jpegs(quality: quality).add(recorder) }
    let started = WireRecordStarted.with {
      $0.camera = camera.name
      $0.recording = id.data
      $0.started = recording.started
    }
    finish(id, .recordStarted(started), isDone: true)
    publish(recording: id, .started(started), ofCamera: camera.name)
    publishState(of: camera)
  }

  /// On the recorder's thread: the file is closed.
  private nonisolated func store(
    _ movie: AssetDraft, _ summary: MovieSummary, of camera: CameraService, recording: RequestID
  ) {
    let ended: @Sendable (Result<Asset?, MediaLibraryError>) -> Void = { [self] result in
      enter { $0.recordingEnded(summary, result, of: camera, recording: recording) }
    }
    if summary.frames > 0 {
      library.finishMovie(
        movie, duration: .nanoseconds(summary.duration), frameCount: summary.frames
      ) { result in ended(result.map(Optional.some)) }
    } else {
      library.perform { (library) throws(MediaLibraryError) -> Asset? in
        try library.discard(movie)
        return nil
      } then: { result in
        ended(result)
      }
    }
  }

  private func recordingEnded(
    _ summary: MovieSummary, _ stored: Result<Asset?, MediaLibraryError>,
    of camera: CameraService, recording id: RequestID
  ) {
    defer { workEnded() }
    guard let recording = camera.recording else { return }
    camera.recording = nil
    // One that has ended by itself listens still.
    let (recorder, streams, quality) = (recording.recorder, camera.streams, recording.quality)
    frameLoop.perform { streams.jpegs(quality: quality).remove(recorder) }
    let stopRequests = recording.stopRequests
    let outcome = WireRecordResult.outcome(summary, stored, recording: id)
    switch outcome {
    case .success(let result):
      for request in stopRequests { finish(request, .record(result), isDone: true) }
      publish(recording: id, .finished(result), ofCamera: camera.name)
    case .failure(let error):
      for request in stopRequests { fail(request, error, isDone: true) }
      publish(recording: id, .failed(WireError(error)), ofCamera: camera.name)
    }
    publishState(of: camera)
  }

  func publish(
    recording id: RequestID, _ body: WireRecordEvent.OneOf_Body, ofCamera name: String
  ) {
    publish(
      .recording(
        .with {
          $0.requestID = id.data
          $0.body = body
        }), .recording, ofCamera: name)
  }
}
