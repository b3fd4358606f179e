import CameraProtocol
import Capture
import EventLoop
import Logging
import OperatingSystem
import Recording
import SwiftProtobuf

/// Starts and stops the cameras' sessions, and publishes their events.
@ControlLoop final class SessionService {
  /// How far ahead a stream may begin: the session's thread waits for it.
  private static let furthest = Duration.seconds(3)

  private let cameras: CameraDirectory
  private let devices: DeviceService
  private let leases: LeaseService
  private let idle: IdleService
  private let subjectAreas: SubjectAreaService
  private let events: EventsService
  private let recordings: RecordingService
  private let livePhotos: LivePhotoService
  private let brackets: BracketJournal
  private let memories: MemoryService
  private let log: PacedLog

  init(
    cameras: CameraDirectory, devices: DeviceService, leases: LeaseService, idle: IdleService,
    subjectAreas: SubjectAreaService, events: EventsService, recordings: RecordingService,
    livePhotos: LivePhotoService, brackets: BracketJournal, memories: MemoryService, log: PacedLog
  ) {
    self.cameras = cameras
    self.devices = devices
    self.leases = leases
    self.idle = idle
    self.subjectAreas = subjectAreas
    self.events = events
    self.recordings = recordings
    self.livePhotos = livePhotos
    self.brackets = brackets
    self.memories = memories
    self.log = log
  }

  // MARK: Requests

  func start(_ body: WireSessionStartRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    try leases.require(camera, for: call)
    if body.atMonotonicNs > 0 {
      try await start(camera, at: MonotonicTime(nanoseconds: body.atMonotonicNs), call)
    } else {
      try await camera.work(for: call) { session in try session.start() }
    }
    call.finish(.session(camera.status(.now())))
  }

  private func start(_ camera: Camera, at moment: MonotonicTime, _ call: Call) async throws {
    guard moment <= call.asked + Self.furthest else {
      throw WireError(
        .invalidArgument, "the moment lies more than 3 s ahead: ask when it is nearer",
        field: RequestField.SessionStart.atMonotonicNs)
    }
    // A recording must not begin between this check and the end of the stream.
    try await camera.formatChanges.during(true) {
      guard !camera.isRecording else {
        throw WireError(
          .conflict,
          "\(camera.name) records, and another beginning of its stream would end its movie: stop the recording first",
          field: RequestField.SessionStart.atMonotonicNs, reason: .recording)
      }
      try await camera.work(for: call) { session in try session.start(at: moment) }
    }
  }

  func configure(_ body: WireConfigureRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    try leases.require(camera, for: call)
    if body.forget { return try await forget(camera, call) }
    if body.hasLivePhotos {
      try livePhotos.check(body.livePhotos, of: camera, for: call.access)
    }
    var change = try SessionConfiguration(body)
    if !body.input.isEmpty {
      change.input = try await devices.claimInput(body.input, for: camera, call)
    }
    defer { camera.endClaim(of: call.id) }
    let obstacle =
      camera.isRecording && !body.endRecording
      ? camera.movieInTheWay : nil
    // A recording must not begin between this check and the change.
    try await camera.formatChanges.during(change.mayEndMovie) { [change] in
      try await configure(camera, change, obstacle, body, call)
    }
  }

  private func configure(
    _ camera: Camera, _ change: SessionConfiguration, _ obstacle: CaptureError?,
    _ body: WireConfigureRequest, _ call: Call
  ) async throws {
    let orientation = camera.orientations.capture
    let search = EffectReport(isWanted: body.hasFindEffect ? body.findEffect : nil, call)
    let services = ServiceChange(body)
    let controls = try await camera.inTurn(for: call) {
      try await memories.change(
        camera, change.settings, services, for: call
      ) { session in
        try session.configure(change, unlessMovieEnds: obstacle, effect: search.request)
      }
    }
    call.isDone = true
    // All pictures of a movie are turned alike.
    if camera.orientations.capture != orientation { recordings.end(of: camera, .stopped) }
    if let threshold = services.subjectArea { subjectAreas.watch(camera, threshold: threshold) }
    if let settings = services.livePhotos { livePhotos.set(settings, of: camera) }
    livePhotos.update(camera)
    let effect = await search.effect
    await recordings.waitForEnd(of: camera)
    await memories.settled(camera.name)
    call.finish(
      .configure(
        .with {
          $0.camera = camera.status(.now())
          $0.controls = controls.map(WireControl.init)
          if let effect { $0.effect = WireControlEffect(effect) }
        }))
  }

  private func forget(_ camera: Camera, _ call: Call) async throws {
    guard memories.remembered(of: camera.name) != nil else {
      throw WireError(
        .unsupported,
        "nothing is remembered of \(camera.name): write remember: true in the node's configuration",
        field: RequestField.Configure.forget)
    }
    // It needs no driver, which may not come back.
    try await camera.inTurn(for: call) {
      camera.session.enter { session in
        session.forget()
        _ = session.takeMemory()
      }
      memories.forget(camera.name)
    }
    call.isDone = true
    await memories.settled(camera.name)
    if let problem = memories.remembered(of: camera.name)?.problem, !problem.isEmpty {
      throw WireError(.storageFailed, problem)
    }
    call.finish(.configure(.with { $0.camera = camera.status(.now()) }))
  }

  func stop(_ body: WireSessionStopRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    try leases.require(camera, for: call)
    try await camera.work(for: call) { session in session.stop() }
    await recordings.waitForEnd(of: camera)
    call.finish(.session(camera.status(.now())))
  }

  func suspend(_ body: WireSessionSuspendRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    try leases.require(camera, for: call)
    try camera.requireStarted()
    let who = call.access == .unlimited ? "an operator" : call.access.name
    let reason = body.reason.isEmpty ? "" : " (\(body.reason))"
    try await camera.work(for: call) { session in
      try session.suspend(
        "\(who) has suspended the camera\(reason): wait, or resume its session",
        keepsWords: reason.isEmpty)
    }
    await recordings.waitForEnd(of: camera)
    call.finish(.session(camera.status(.now())))
  }

  func resume(_ body: WireSessionResumeRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    try leases.require(camera, for: call)
    try camera.requireStarted()
    try await camera.work(for: call) { session in try session.resume() }
    call.finish(.session(camera.status(.now())))
  }

  func formats(_ body: WireFormatsRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    let formats = try await camera.work(for: call) { session in try session.listedFormats() }
    call.finish(.formats(.with { $0.formats = formats.map(WireFormat.init) }))
  }

  func capabilities(_ body: WireCapabilitiesRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    let capabilities = try await camera.work(for: call) { session in
      try session.capabilities()
    }
    call.finish(
      .capabilities(
        WireCapabilities(
          capabilities, camera.options, wallClock: .now())))
  }

  func calibration(_ body: WireCalibrationRequest, _ call: Call) throws {
    let camera = try cameras.named(body.camera, for: call.access)
    guard let calibration = camera.options.mounting.calibration else {
      throw WireError(
        .unsupported,
        "\(camera.name) has no calibration: give its file to the node as calibration=FILE")
    }
    call.finish(.calibration(WireCalibration(calibration)))
  }

  // MARK: Events

  /// Publishes a camera's state, because something in it changed that is not the session's.
  func publishState(ofCamera name: String) {
    if let camera = cameras[name] { events.publishState(of: camera) }
  }

  /// Takes whether somebody subscribes to a camera's frames.
  func take(hasSubscribers: Bool, ofCamera name: String) {
    guard let camera = cameras[name] else { return }
    if hasSubscribers {
      idle.begin(.subscribers, of: camera)
    } else {
      idle.end(.subscribers, of: camera)
    }
  }

  /// Handles an event of a camera's session.
  func take(_ event: SessionEvent, ofCamera name: String) {
    guard let camera = cameras[name] else { return }
    switch event {
    case .state(let status): take(status, of: camera)
    case .firstFrame:
      camera.takeFirstFrame()
      events.publishState(of: camera)
    case .memory(let memory): memories.take(memory, of: name)
    case .remark(let remark):
      log.warning("camera \(name)", remark)
    case .controlsPutBack:
      brackets.removeSoon(of: name)
      memories.take(nil, of: name)
    case .capabilities(let capabilities):
      let body = WireCapabilities(
        capabilities, camera.options, wallClock: .now())
      events.publish(.capabilities(body), .capabilities, ofCamera: name)
    case .control(let control):
      events.publish(.control(WireControl(control)), .control, ofCamera: name)
    }
  }

  private func take(_ status: SessionStatus, of camera: Camera) {
    let (before, wasAwaited) = (camera.sessionStatus.state, camera.sessionStatus.isAwaited)
    if status.state.summary != before.summary {
      // The end of a trouble is as important as its beginning.
      let isTrouble = status.state.isTrouble || (before.isTrouble && status.state == .running)
      log.log(isTrouble ? .warning : .info, "camera \(camera.name)", status.state.summary)
    }
    camera.take(status)
    idle.update(camera)
    // A recording that begins while an idle camera starts is the one that starts it.
    if !(wasAwaited && status.isAwaited) {
      recordings.take(status.state.endOfRecording, of: camera)
    }
    livePhotos.update(camera)
    events.publishState(of: camera)
  }
}

extension Camera {
  /// The error for a change of format that would end the camera's movie.
  fileprivate var movieInTheWay: CaptureError {
    CaptureError(
      .conflict,
      "\(name) records, and another format or orientation would end its movie: stop the recording first, or ask "
        + "for its end with this change",
      part: .recording
    )
  }
}
