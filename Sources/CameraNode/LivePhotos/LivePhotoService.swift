import CameraProtocol
import Capture
import EventLoop
import Imaging
import Logging
import MediaLibrary
import OperatingSystem
import Recording
import SwiftProtobuf
import Words

/// Live photos: photos with a movie of what is around their frame.
///
/// While a camera's live photos are on and it runs, its coded pictures of the last moments are
/// kept.
@ControlLoop final class LivePhotoService: CameraReporter {
  private let cameras: CameraDirectory
  private let microphones: MicrophoneService
  private let recordings: RecordingService
  private let events: EventsService
  private let library: MediaLibrary
  /// The thread that waits until movies are on the disk.
  private let syncLoop: EventLoop
  /// The bytes that movies leave free on the library's disk.
  private let reserve: Int
  private let log: PacedLog
  private var isClosed = false

  /// The kind of the tasks in which movies are made.
  nonisolated static let task = "live movie"

  init(
    cameras: CameraDirectory, microphones: MicrophoneService, recordings: RecordingService,
    events: EventsService, library: MediaLibrary, reserve: Int, syncLoop: EventLoop, log: PacedLog
  ) {
    self.cameras = cameras
    self.microphones = microphones
    self.recordings = recordings
    self.events = events
    self.library = library
    self.reserve = reserve
    self.syncLoop = syncLoop
    self.log = log
  }

  /// Ends the movies under way with what they have, and keeps nothing more.
  func close() {
    isClosed = true
    for camera in cameras.all { detach(camera) }
  }

  // MARK: The settings

  /// - Parameter settings: Both durations are 0 to switch live photos off.
  /// - Throws: If the client may not have the sound that they ask for.
  func check(_ settings: WireLivePhotoSettings, of camera: Camera, for access: Access) throws {
    guard settings.sound else { return }
    _ = try microphones.named(
      settings.microphone, of: camera, for: access,
      field: RequestField.Configure.LivePhotos.microphone)
  }

  func set(_ settings: WireLivePhotoSettings, of camera: Camera) {
    let part = camera.part(LivePhotos.self)
    let settings = settings.isOff ? nil : settings
    guard settings != part.settings else { return }
    part.settings = settings
    update(camera)
    events.publishState(of: camera)
  }

  /// - Throws: If live photos of the camera are off.
  func require(_ camera: Camera) throws(WireError) {
    guard camera.part(LivePhotos.self).settings == nil else { return }
    throw WireError(
      .conflict,
      "live photos of \(camera.name) are off: switch them on first (camctl configure --live-photos 1.5s)",
      field: RequestField.Capture.live)
  }

  func describe(_ camera: Camera, in status: inout WireCameraStatus, _: WallClockSample) {
    let part = camera.part(LivePhotos.self)
    guard let settings = part.settings else { return }
    status.livePhotos = .with {
      $0.settings = settings
      let reach = part.source?.recorder.reach ?? .zero
      $0.reachNs = UInt64(max(0, reach.wholeNanoseconds))
      $0.inProgress = UInt32(clamping: part.inProgress)
    }
  }

  // MARK: The pictures

  /// The camera's stream, or how its pictures are turned, may have changed.
  func update(_ camera: Camera) {
    let part = camera.part(LivePhotos.self)
    var plan: LiveSource.Plan?
    if let settings = part.settings, !isClosed, !camera.hasLeft,
      let format = try? camera.pictureFormat
    {
      plan = LiveSource.Plan(
        settings: settings, format: format,
        kind: VideoKind(orientation: camera.orientations.capture))
    }
    guard plan != part.source?.plan else { return }
    detach(camera)
    if let plan { part.source = attach(plan, to: camera) }
  }

  private func attach(_ plan: LiveSource.Plan, to camera: Camera) -> LiveSource {
    let sound = sound(plan.settings, of: camera)
    let recorder = LiveMovieRecorder(
      loop: camera.recordingLoop, syncLoop: syncLoop,
      plan: MoviePlan(
        format: MovieFormat(.mp4, .h264), title: camera.name,
        framesPerSecond: plan.format.frameRate?.framesPerSecond,
        limits: MovieRecorder.Limits(minimumFreeBytes: reserve), sound: sound?.settings),
      kind: MovieClips(
        before: .nanoseconds(plan.settings.beforeNs), after: .nanoseconds(plan.settings.afterNs)))
    let (streams, log, name) = (camera.streams, log, camera.name)
    camera.pipeline.loop.perform {
      do throws(LoopShortage) {
        try streams.add(video: recorder, plan.kind)
      } catch {
        let message = error.message
        ControlLoop.enter { log.warning("camera \(name)", "it has no live photos: \(message)") }
      }
    }
    if let sound {
      sound.feed(recorder)
      sound.microphone.add(sound)
    }
    return LiveSource(plan: plan, recorder: recorder, sound: sound)
  }

  /// The movies under way end with what they have.
  private func detach(_ camera: Camera) {
    let part = camera.part(LivePhotos.self)
    guard let source = part.source else { return }
    part.source = nil
    let (streams, recorder) = (camera.streams, source.recorder)
    if let sound = source.sound { sound.microphone.remove(sound) }
    source.isDetached = true
    camera.pipeline.loop.perform { streams.remove(video: recorder) }
    endIfDone(source)
  }

  /// Without their microphone, movies are silent.
  private func sound(_ settings: WireLivePhotoSettings, of camera: Camera) -> SoundFeed? {
    guard settings.sound, SoundCodec.aac.isAvailable else { return nil }
    do {
      let microphone = try microphones.named(
        settings.microphone, of: camera, for: .unlimited,
        field: RequestField.Configure.LivePhotos.microphone)
      return SoundFeed(microphone, SoundSettings(.aac), isRequired: false)
    } catch {
      log.warning(
        "camera \(camera.name)", "its live photos are silent: \(WireError(error).message)")
      return nil
    }
  }

  // MARK: The movies

  /// Begins the movie of a live photo whose frame is chosen.
  /// - Parameter onRecorded: Called when the movie gets no more frames.
  func begin(
    _ photo: ResolvedPhoto, _ labels: AssetLabels, of camera: Camera, _ call: Call,
    onRecorded: @escaping @ControlLoop () -> Void
  ) -> LiveMovie {
    let movie = LiveMovie(of: photo)
    change(camera) { $0 += 1 }
    call.run(Self.task) { [self] in
      let recorded = await record(movie, labels, of: camera, call)
      change(camera) { $0 -= 1 }
      onRecorded()
      switch recorded {
      case .failure(let error): movie.finish(WireLiveMovie(error))
      case .success((let draft, let summary)):
        if movie.isAbandoned { return await recordings.discard(draft) }
        movie.finish(outcome(await recordings.store(draft, summary), summary, of: movie))
      }
    }
    return movie
  }

  private func record(
    _ movie: LiveMovie, _ labels: AssetLabels, of camera: Camera, _ call: Call
  ) async -> Result<(AssetDraft, MovieSummary), WireError> {
    guard let source = camera.part(LivePhotos.self).source else {
      return .failure(Self.nothingKept)
    }
    let format = source.plan.format.layout
    let turn = format.orientation.followed(by: source.plan.kind.orientation)
    let size = turn.turned(format.size).ofVideo
    let begins = movie.wallClock - Int64(clamping: source.plan.settings.beforeNs)
    let description = AssetDescription(
      camera: camera.name, mediaType: .mp4, width: size.width, height: size.height,
      createdAt: begins, requestID: call.id.bytes, part: .live, labels: labels)
    source.drafts += 1
    let draft: AssetDraft
    do {
      draft = try await library.beginMovie(description)
    } catch {
      source.drafts -= 1
      endIfDone(source)
      return .failure(WireError(error))
    }
    source.drafts -= 1
    let summary = await withCheckedContinuation { continuation in
      source.recorder.begin(
        at: movie.moment, path: draft.path, title: labels.name.isEmpty ? nil : labels.name
      ) { continuation.resume(returning: $0) }
      endIfDone(source)
    }
    return .success((draft, summary))
  }

  /// Ends what is kept of a stream that has ended, once every movie of it has its file.
  private func endIfDone(_ source: LiveSource) {
    if source.isDetached, source.drafts == 0 { source.recorder.end() }
  }

  private static var nothingKept: WireError {
    WireError(
      .notRunning, "the photo has no movie: the pictures around it went with the camera's stream")
  }

  private func outcome(
    _ stored: Result<Asset?, CaptureError>, _ summary: MovieSummary, of movie: LiveMovie
  ) -> WireLiveMovie {
    switch stored {
    case .success(let asset?):
      return .with {
        $0.asset = WireAsset(asset)
        if let first = summary.first {
          $0.photoTimeNs = (movie.moment - first.timestamp).wholeNanoseconds
        }
      }
    case .success(nil):
      guard let error = summary.error else {
        return WireLiveMovie(
          WireError(
            .frameUnavailable,
            "no coded pictures came from around the photo: its movie has none"))
      }
      return WireLiveMovie(WireError(CaptureError(error)))
    case .failure(let error): return WireLiveMovie(WireError(error))
    }
  }

  private func change(_ camera: Camera, _ body: (inout Int) -> Void) {
    body(&camera.part(LivePhotos.self).inProgress)
    events.publishState(of: camera)
  }
}

private final class LivePhotos: CameraPart {
  /// Nil while live photos are off.
  var settings: WireLivePhotoSettings?
  /// What keeps pictures; nil while the camera does not run.
  var source: LiveSource?
  /// Photos whose movie still gets frames.
  var inProgress = 0
}

/// What keeps a camera's pictures for live photos.
private final class LiveSource {
  struct Plan: Hashable {
    var settings: WireLivePhotoSettings
    var format: StreamFormat
    var kind: VideoKind
  }

  let plan: Plan
  let recorder: LiveMovieRecorder
  /// Nil for silent movies.
  let sound: SoundFeed?
  /// The movies whose files are being made.
  var drafts = 0
  /// Whether it gets no more pictures.
  var isDetached = false

  init(plan: Plan, recorder: LiveMovieRecorder, sound: SoundFeed?) {
    self.plan = plan
    self.recorder = recorder
    self.sound = sound
  }
}

extension WireLiveMovie {
  /// No movie, for this reason.
  fileprivate init(_ error: WireError) {
    self.init()
    self.error = error
  }
}

extension WireLivePhotoSettings {
  /// Whether they switch live photos off.
  var isOff: Bool { beforeNs == 0 && afterNs == 0 }
}
