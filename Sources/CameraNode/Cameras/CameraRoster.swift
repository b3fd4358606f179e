import CameraProtocol
import Capture
import EventLoop
import Logging
import MediaLibrary
import OperatingSystem

/// Brings cameras to the node and takes them from it, also while it runs.
final class CameraRoster: Sendable {
  private struct Threads {
    var used: [String: CameraThreads] = [:]
    /// The threads of cameras that have been removed. They are used again, and run until the node
    /// ends, because a request may still come to such a camera's session.
    var idle: [CameraThreads] = []
  }

  private let builder: CameraBuilder
  private let library: MediaLibrary
  private let log: Logger
  /// Stops the threads.
  private let teardown: Teardown
  private let threads = Mutex(Threads())

  private var services: NodeServices { builder.services }
  private var cameras: CameraDirectory { builder.cameras }

  init(_ builder: CameraBuilder, library: MediaLibrary, teardown: Teardown, log: Logger) {
    self.teardown = teardown
    self.builder = builder
    self.library = library
    self.log = log
  }

  /// Makes a camera of the configuration, whose session has not started yet.
  func add(_ configuration: CameraConfiguration) async throws(LoopShortage) -> Camera {
    let source = configuration.source.resolved(flash: configuration.options.flash)
    if let reason = source.standInReason {
      log.warning("camera \(configuration.name) is simulated: \(reason)")
    }
    return try await add(
      CameraPlan(
        name: configuration.name, input: SessionInput(source.device, source.request),
        options: configuration.options, start: configuration.start,
        standInReason: source.standInReason))
  }

  /// Makes a camera, whose session has not started yet.
  func add(_ plan: CameraPlan) async throws(LoopShortage) -> Camera {
    let threads = try takeThreads(for: plan.name)
    let camera = await builder.camera(plan, on: threads)
    await take(camera)
    await library.watchSpace(of: await names)
    return camera
  }

  @ControlLoop private func take(_ camera: Camera) {
    cameras.add(camera)
    services.pressure.update(camera)
    if let room = services.status.room { services.captures.take(room) }
  }

  /// Lets a camera be as the configuration wants it now, without ending its session.
  /// - Returns: Whether there is something new, or something that it has not taken yet.
  @ControlLoop func change(
    _ camera: Camera, from old: (options: CameraOptions, start: CameraStart),
    to new: (options: CameraOptions, start: CameraStart)
  ) -> Bool {
    let isSaidOtherwise = old.options != new.options
    if isSaidOtherwise {
      camera.take(new.options)
      services.idle.restart(camera)
      services.events.publishState(of: camera)
    }
    let remembers = new.start.remembers ?? builder.remembers
    let isKept = services.memories.remembered(of: camera.name) != nil
    if remembers != isKept { services.memories.setKept(remembers, camera) }
    let isOther = old.start != new.start || !camera.sessionStatus.refusals.isEmpty
    if isOther { begin(camera, anew: new.start) }
    return isOther || isSaidOtherwise
  }

  @ControlLoop private func begin(_ camera: Camera, anew start: CameraStart) {
    let obstacle =
      camera.isRecording
      ? CaptureError(
        .conflict,
        "it would end the movie that the camera records: let the node read its configuration again afterwards",
        part: .recording)
      : nil
    let change = start.session
    camera.session.enter { $0.begin(anew: change, unlessMovieEnds: obstacle) }
    let remembered = services.memories.remembered(of: camera.name)
    if remembered?.hasSubjectArea != true {
      services.subjectAreas.watch(camera, threshold: start.services.subjectArea ?? 0)
    }
    if remembered?.hasLivePhotos != true {
      services.livePhotos.set(start.services.livePhotos ?? WireLivePhotoSettings(), of: camera)
    }
  }

  /// Ends all that the camera does, and tells everybody that the node has it no more. Call it in a
  /// task of the router's.
  @ControlLoop func remove(_ camera: Camera) async {
    let isFree = await camera.end(
      teardown, because: "the node has the camera no more: ask for the cameras that there are")
    await services.recordings.waitForEnd(of: camera)
    services.leases.end(of: camera)
    services.subjectAreas.watch(camera, threshold: 0)
    services.livePhotos.set(WireLivePhotoSettings(), of: camera)
    await services.memories.leave(camera.name)
    camera.leave()
    services.events.publishEnd(of: camera)
    cameras.remove(camera)
    await builder.frames.remove(camera.streams)
    await library.watchSpace(of: await names)
    threads.withLock { threads in
      guard let used = threads.used.removeValue(forKey: camera.name), isFree else { return }
      threads.idle.append(used)
    }
  }

  // MARK: The node's end

  /// Drivers that somebody still waits for then are left alone.
  func giveUp(after time: Duration) async {
    let end = MonotonicTime.now + time
    for camera in await cameras.all { camera.session.giveUp(at: end) }
  }

  /// Stops all sessions, at the same time, because a driver may take long.
  func stopSessions(within time: Duration) async {
    await giveUp(after: time)
    await stopSessions()
  }

  /// Stops all sessions and their threads.
  func close() async {
    await stopSessions()
    await teardown.run()
  }

  private func stopSessions() async {
    let cameras = await cameras.all
    await withTaskGroup { group in
      for camera in cameras {
        group.addTask { [teardown] in
          await camera.end(teardown, because: "the node stops: ask again when it runs again")
        }
      }
    }
  }

  private var names: [String] {
    get async { await cameras.all.map(\.name) }
  }

  private func takeThreads(for camera: String) throws(LoopShortage) -> CameraThreads {
    let idle = threads.withLock { threads in
      let idle = threads.idle.popLast()
      threads.used[camera] = idle
      return idle
    }
    if let idle { return idle }
    let new = try CameraThreads.start(camera, teardown)
    threads.withLock { $0.used[camera] = new }
    return new
  }
}
