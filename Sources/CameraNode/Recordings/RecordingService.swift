import CameraProtocol
import Capture
import EventLoop
import FoundationEssentials
import Imaging
import MediaLibrary
import OperatingSystem
import Recording
import SwiftProtobuf
import Words

/// Records movies: one at a time for each camera.
@ControlLoop final class RecordingService: CameraReporter {
  /// The JPEG quality of movies unless the request says another. The `full` stream has the same, so
  /// that each frame is encoded once for both.
  nonisolated static let quality = CameraStreams.quality

  /// How far ahead a movie may begin, and a request may end one.
  private static let furthest = Duration.seconds(60)

  let cameras: CameraDirectory
  let microphones: MicrophoneService
  private let idle: IdleService
  private let pressure: PressureService
  let subjectAreas: SubjectAreaService
  let events: EventsService
  let library: MediaLibrary
  /// The thread that waits until recordings are on the disk.
  private let syncLoop: EventLoop
  /// The bytes that movies leave free on the library's disk.
  private let reserve: Int
  let log: PacedLog

  init(
    cameras: CameraDirectory, microphones: MicrophoneService, idle: IdleService,
    pressure: PressureService, subjectAreas: SubjectAreaService, events: EventsService,
    library: MediaLibrary, reserve: Int,
    syncLoop: EventLoop, log: PacedLog
  ) {
    self.cameras = cameras
    self.microphones = microphones
    self.idle = idle
    self.pressure = pressure
    self.subjectAreas = subjectAreas
    self.events = events
    self.library = library
    self.reserve = reserve
    self.syncLoop = syncLoop
    self.log = log
    microphones.onChange = { [weak self] in self?.soundChanged(of: $0) }
  }

  /// Records a movie. The client gets its reply when the recording starts; this returns when the
  /// movie has ended and is stored.
  func start(_ body: WireRecordStartRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    try camera.requirePictures()
    let from = MonotonicTime(moment: body.fromMonotonicNs)
    try requireNear(from, "the beginning", RequestField.RecordStart.fromMonotonicNs, call)
    if let until = MonotonicTime(moment: body.untilMonotonicNs), until <= call.asked {
      throw WireError(
        .frameUnavailable, "the moment of the last frame has passed: name a later one",
        field: RequestField.RecordStart.untilMonotonicNs, reason: .late)
    }
    if body.hasClips { try requireTriggers(body.clips, call) }
    let sound = try await sound(for: body, of: camera, call)
    defer { if let sound { sound.microphone.remove(sound) } }
    // Photos in other formats come one after the other; a recording takes its turn among them.
    if camera.formatChanges.hasStills { try await camera.inTurn(for: call) {} }
    guard !camera.formatChanges.areUnderWay else {
      throw WireError(.busy, "the format of \(camera.name) is being changed: record after that")
    }
    let recordings = camera.part(Recordings.self)
    guard recordings.machine.begin(call.id) else {
      throw WireError(.conflict, "\(camera.name) records already: stop that recording first")
    }
    idle.begin(.request(call.id), of: camera, wakes: false)
    defer { idle.end(.request(call.id), of: camera) }
    let format = try await format(of: camera, call)
    let pictures = MoviePictures(body, camera.orientations.capture, format)
    let turn = format.layout.orientation.followed(by: camera.orientations.capture)
    let plan = plan(body, format, camera, sound)
    let description = AssetDescription(
      pictures.size(of: turn.turned(format.layout.size)), plan.format,
      AssetLabels(name: body.name, tags: body.tags), of: camera, call)
    let movie = try await open(description, of: camera, call)
    if let from { try await requireAhead(from, movie, of: camera) }
    guard recordings.machine.opened() else {
      let error = CaptureError(
        .interrupted, "the camera's session ended: start it and record again")
      openingFailed(of: camera, error)
      await discard(movie)
      call.isDone = true
      throw error
    }
    let files = RecordingFiles(first: movie)
    let (steps, continuation) = AsyncStream<RecordingStep>.makeStream()
    let recorder = MovieRecorder(
      loop: camera.recordingLoop, syncLoop: syncLoop, plan: plan,
      nextPlace: {
        defer { continuation.yield(.needsFile) }
        return files.take()
      },
      onNews: { news in
        continuation.yield(.news(news))
        if case .ended = news { continuation.finish() }
      })
    sound?.feed(recorder)
    begin(recorder, body, pictures, sound, of: camera, call)
    if recordings.machine.isToStop { end(of: camera, .stopped) } else { stopLater(camera) }
    await follow(steps, files, description, recorder, sound, of: camera, call)
  }

  func stop(_ body: WireRecordStopRequest, _ call: Call) throws {
    let camera = try cameras.named(body.camera, for: call.access)
    let recordings = camera.part(Recordings.self)
    try require(body.recording, of: camera, RequestField.RecordStop.recording)
    let moment = MonotonicTime(moment: body.atMonotonicNs)
    try requireNear(moment, "the end", RequestField.RecordStop.atMonotonicNs, call)
    switch recordings.machine.stop({ call.answer($0) }, at: moment) {
    case .refuse: throw CaptureError(notRecording: camera)
    case .stopRecorder: stopRecorder(of: camera, .stopped)
    case .stopRecorderLater: stopLater(camera)
    case .wait: break
    }
    call.isDone = true
  }

  /// - Throws: If a moment lies further ahead than a recording waits for one.
  func requireNear(
    _ moment: MonotonicTime?, _ name: String, _ field: String, _ call: Call
  ) throws(WireError) {
    guard let moment, moment > call.asked + Self.furthest else { return }
    throw WireError(
      .invalidArgument, "\(name) lies more than a minute ahead: ask when it is nearer",
      field: field)
  }

  /// - Throws: If the camera does not make this recording.
  private func require(_ recording: Data, of camera: Camera, _ field: String) throws(WireError) {
    let recordings = camera.part(Recordings.self)
    guard !recording.isEmpty, recordings.machine.id?.data != recording else { return }
    let last = recordings.last
    let remedy =
      last?.id?.data == recording
      ? "no longer makes this recording, which \(last?.end ?? "")"
      : "does not make this recording, or no longer: if the library kept a movie of it, the assets made "
        + "for the recording's id have it"
    throw WireError(.conflict, "\(camera.name) \(remedy)", field: field)
  }

  /// The recording that a request is about.
  /// - Throws: If the camera does not make it.
  func active(
    _ name: String, _ recording: Data, _ field: String, _ call: Call
  ) throws -> (Camera, ActiveRecording) {
    let camera = try cameras.named(name, for: call.access)
    try require(recording, of: camera, field)
    guard let movie = camera.recording, camera.isRecording else {
      guard !camera.isRecording else {
        throw WireError(
          .conflict,
          "the recording of \(camera.name) is being started: ask again when that is answered",
          field: field)
      }
      throw CaptureError(notRecording: camera)
    }
    return (camera, movie)
  }

  func setPause(_ pause: WireRecordingPause?, of camera: Camera) {
    camera.part(Recordings.self).movie?.pause = pause
  }

  /// Ends a camera's recording, if there is one.
  func end(of camera: Camera, _ reason: MovieSummary.EndReason) {
    if camera.part(Recordings.self).machine.end() { stopRecorder(of: camera, reason) }
  }

  /// Waits until a recording that is ending has ended, so that its movie is complete.
  func waitForEnd(of camera: Camera) async {
    await withCheckedContinuation { continuation in
      let isEnding = camera.part(Recordings.self).machine.wait { _ in continuation.resume() }
      if !isEnding { continuation.resume() }
    }
  }

  /// Ends all recordings.
  func endAll(_ reason: MovieSummary.EndReason) {
    for camera in cameras.all { end(of: camera, reason) }
  }

  func describe(_ camera: Camera, in status: inout WireCameraStatus, _: WallClockSample) {
    if let movie = camera.part(Recordings.self).movie {
      status.recording = movie.status(camera.streams)
    }
  }

  // MARK: The steps of a recording

  /// The format of the camera's stream, which is started if it is idle.
  private func format(of camera: Camera, _ call: Call) async throws -> StreamFormat {
    do {
      try await idle.wake(camera, for: call)
      return try camera.pictureFormat
    } catch {
      openingFailed(of: camera, error)
      throw error
    }
  }

  private func open(
    _ description: AssetDescription, of camera: Camera, _ call: Call
  ) async throws -> AssetDraft {
    do {
      return try await call.work(on: library) { library in try library.beginMovie(description) }
    } catch {
      openingFailed(of: camera, error)
      throw error
    }
  }

  /// - Throws: `frameUnavailable` if the frame nearest the moment may have passed.
  private func requireAhead(
    _ moment: MonotonicTime, _ movie: AssetDraft, of camera: Camera
  ) async throws {
    let pipeline = camera.pipeline
    let (newest, interval) = await pipeline.loop.run {
      (pipeline.ring.newest?.metadata.timestamp, pipeline.interval)
    }
    let now = newest.map { max($0 + .nanoseconds(interval / 2), .now) } ?? .now
    guard moment < now else { return }
    let error = WireError(
      .frameUnavailable,
      "\(camera.name) is ready to record \(now - moment) after the moment of the first frame: name a later one",
      field: RequestField.RecordStart.fromMonotonicNs, reason: .late)
    openingFailed(of: camera, error)
    await discard(movie)
    throw error
  }

  /// Answers requests to stop a recording that could not be started.
  private func openingFailed(of camera: Camera, _ error: any Error) {
    let recordings = camera.part(Recordings.self)
    recordings.last = (
      recordings.machine.id, "was not started: \(WireError(error).message)"
    )
    for stop in recordings.machine.openingFailed() {
      stop(.failure(CaptureError(notRecording: camera)))
    }
    pressure.update(camera)
  }

  private func plan(
    _ body: WireRecordStartRequest, _ format: StreamFormat, _ camera: Camera, _ sound: SoundFeed?
  ) -> MoviePlan {
    MoviePlan(
      format: body.movieFormat, title: body.name.isEmpty ? camera.name : body.name,
      framesPerSecond: format.frameRate?.framesPerSecond,
      limits: MovieRecorder.Limits(
        duration: body.maximumDurationNs == 0 ? nil : .nanoseconds(body.maximumDurationNs),
        byteCount: body.maximumBytes == 0 ? nil : Int(clamping: body.maximumBytes),
        minimumFreeBytes: reserve,
        from: MonotonicTime(moment: body.fromMonotonicNs),
        until: MonotonicTime(moment: body.untilMonotonicNs)),
      cut: MovieCut(body), sound: sound?.settings,
      progressInterval: body.progressIntervalNs == 0 ? nil : .nanoseconds(body.progressIntervalNs))
  }

  private func begin(
    _ recorder: MovieRecorder, _ body: WireRecordStartRequest, _ pictures: MoviePictures,
    _ sound: SoundFeed?, of camera: Camera, _ call: Call
  ) {
    let from = MonotonicTime(moment: body.fromMonotonicNs)
    let (streams, pipeline) = (camera.streams, camera.pipeline)
    let add = { @Sendable in
      switch pictures {
      case .jpegs(let quality, let orientation):
        streams.add(recorder, quality: quality, orientation: orientation)
      case .video(let kind):
        do throws(LoopShortage) {
          try streams.add(video: recorder, kind)
        } catch {
          recorder.fail(RecordingError(.notEncodable, error.message))
        }
      }
    }
    let movie = ActiveRecording(
      id: call.id, recorder: recorder, gate: from.map { MovieGate(at: $0, open: add) },
      attach: add, pictures: pictures, started: WireTimestamp(from ?? .now, .now()),
      outlivesCamera: body.onCameraLost == .pause,
      sound: sound)
    pipeline.loop.perform {
      if let gate = movie.gate { gate.wait(in: pipeline) } else { add() }
    }
    camera.part(Recordings.self).movie = movie
    let started = WireRecordStarted.with {
      $0.camera = camera.name
      $0.recording = call.id.data
      $0.started = movie.started
    }
    call.finish(.recordStarted(started))
    if body.hasClips {
      events.publish(recording: call.id, .started(started), ofCamera: camera.name)
      subjectAreas.trigger(call.id, at: Set(body.clips.subjectAreas)) { recorder.trigger(at: $0) }
    }
    camera.part(Recordings.self).silence = nil
    events.publishState(of: camera)
    tellSound(of: camera)
  }

  /// Notes why the sound of a camera's movie has stopped; nil if it comes.
  /// - Returns: Whether that is news.
  func noteSound(_ cause: SoundError.Cause?, of camera: Camera) -> Bool {
    let recordings = camera.part(Recordings.self)
    defer { recordings.silence = cause }
    return recordings.silence != cause
  }

  /// Tells that the first frame is in the file.
  func publishBeginning(_ id: RequestID, _ frame: FrameMetadata, of camera: Camera) {
    guard let movie = camera.recording, movie.id == id else { return }
    if case .clips = movie.recorder.plan.cut { return }
    let started = WireRecordStarted.with {
      $0.camera = camera.name
      $0.recording = id.data
      $0.started = movie.started
      $0.first = WireMovieFrameTime(frame)
    }
    events.publish(recording: id, .started(started), ofCamera: camera.name)
  }

  /// Publishes the status of a recording that is under way.
  func publish(
    _ id: RequestID, of camera: Camera,
    _ event: (WireRecordingStatus) -> WireRecordEvent.OneOf_Body
  ) {
    guard let movie = camera.recording, movie.id == id else { return }
    events.publish(recording: id, event(movie.status(camera.streams)), ofCamera: camera.name)
  }

  private func stopRecorder(of camera: Camera, _ reason: MovieSummary.EndReason) {
    guard let movie = camera.part(Recordings.self).movie else { return }
    remove(movie, from: camera) { movie.recorder.stop(reason) }
  }

  /// Lets the recorder stop at the moment that a request has named.
  private func stopLater(_ camera: Camera) {
    let recordings = camera.part(Recordings.self)
    guard let movie = recordings.movie, let moment = recordings.machine.moment else { return }
    // No frame comes that could be the last one.
    if movie.pause != nil { return end(of: camera, .stopped) }
    camera.pipeline.loop.perform { movie.recorder.stop(at: moment) }
  }

  /// Gives the movie no more frames.
  func remove(
    _ movie: ActiveRecording, from camera: Camera, then body: @escaping @Sendable () -> Void = {}
  ) {
    let streams = camera.streams
    camera.pipeline.loop.perform {
      movie.gate?.close()
      streams.remove(movie.recorder)
      streams.remove(video: movie.recorder)
      body()
    }
  }

  func ended(
    _ outcome: Result<WireRecordResult, CaptureError>, of camera: Camera, _ call: Call
  ) {
    let recordings = camera.part(Recordings.self)
    let (stops, endedByItself) = recordings.machine.ended()
    if endedByItself, let movie = recordings.movie { remove(movie, from: camera) }
    recordings.movie = nil
    subjectAreas.endTrigger(call.id)
    for stop in stops { stop(outcome) }
    switch outcome {
    case .success(let result):
      recordings.last = (
        call.id,
        "ended because \(result.reason.words), and the library has \(result.hasAsset ? "the movie \(result.asset.path)" : "no clip of it"); "
          + "start another one"
      )
      if let trouble = result.reason.trouble {
        log.warning(
          "camera \(camera.name)", "the movie \(result.asset.path) ended: \(trouble)")
      }
      events.publish(recording: call.id, .finished(result), ofCamera: camera.name)
    case .failure(let error):
      recordings.last = (call.id, "failed: \(error.message)")
      log.warning("camera \(camera.name)", "a recording failed: \(error.message)")
      events.publish(recording: call.id, .failed(WireError(error)), ofCamera: camera.name)
    }
    events.publishState(of: camera)
    pressure.update(camera)
  }
}

private final class Recordings: CameraPart {
  var machine = RecordingMachine<(Result<WireRecordResult, CaptureError>) -> Void>()
  var movie: ActiveRecording?
  /// Why the movie is silent, as far as it was told.
  var silence: SoundError.Cause?
  /// How the last recording ended.
  var last: (id: RequestID?, end: String)?
}

extension Camera {
  /// Whether a recording is under way that the end of the stream would end.
  var isRecording: Bool { part(Recordings.self).machine.isActive }

  /// The movie that it records now.
  var recording: ActiveRecording? { part(Recordings.self).movie }

  /// Whether a request has named the moment at which its recording ends.
  var recordingIsToEnd: Bool { part(Recordings.self).machine.moment != nil }
}

extension CaptureError {
  /// The error for a request to stop a recording when there is none.
  @ControlLoop fileprivate init(notRecording camera: Camera) {
    // The error of a recording that failed has a remedy of its own.
    let remedy =
      camera.part(Recordings.self).last.map { "its last recording \($0.end)" }
      ?? "start a recording first"
    self.init(.conflict, "\(camera.name) does not record: \(remedy)")
  }
}

extension Call {
  /// Answers a request to stop a recording.
  fileprivate func answer(_ outcome: Result<WireRecordResult, CaptureError>) {
    switch outcome {
    case .success(let result): finish(.record(result))
    case .failure(let error): fail(error)
    }
  }
}

extension WireRecordResult.EndReason {
  /// Why the movie ended.
  fileprivate var words: String {
    switch self {
    case .stopped: "it was stopped"
    case .limitReached: "it reached its limit"
    default: trouble ?? "the node ended"
    }
  }

  /// What went wrong; nil if the movie ended as somebody wanted.
  fileprivate var trouble: String? {
    switch self {
    case .storageFull: "the disk is full"
    case .storageFailed: "the disk failed"
    case .cameraLost: "the camera was lost"
    case .soundLost: "no sound came any more"
    default: nil
    }
  }
}

extension MonotonicTime {
  /// - Parameter moment: Nanoseconds, as a request says them; 0 for none.
  init?(moment: Int64) {
    guard moment > 0 else { return nil }
    self.init(nanoseconds: moment)
  }
}
