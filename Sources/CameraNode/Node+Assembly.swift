import Capture
import EventLoop
import Foundation
import Keys
import Logging
import MediaLibrary
import OperatingSystem
import PhotoEncoding
import Recording
import ZeroMQ

/// The steps in which a node comes up. What each step starts, it also gives to the teardown.
extension Node {
  static func assemble(
    _ configuration: NodeConfiguration, log: Logger,
    onStuck: @escaping @Sendable (_ thread: String, _ activity: String) -> Void, teardown: Teardown
  ) async throws -> Node {
    try configuration.validate()
    let controlLoop = try ControlLoop.start()
    let frameLoop = try EventLoop.starting(name: "frames", slices: .short)
    let connectionLoop = try EventLoop.starting(name: "connections", slices: .short)
    let libraryLoop = try EventLoop.starting(name: "library")
    let syncLoop = try EventLoop.starting(name: "sync")
    let deviceLoop = try EventLoop.starting(name: "devices")
    let memoryLoop = try EventLoop.starting(name: "memory")
    let watchdog = try LoopWatchdog([controlLoop, frameLoop]) { onStuck($0.name, $0.activity) }
    teardown.addThread { watchdog.end() }
    for loop in [frameLoop, libraryLoop, syncLoop, memoryLoop, deviceLoop, connectionLoop] {
      teardown.addThread { loop.stop() }
    }
    // Steps run from the newest to the oldest: the control loop does its last work first, because
    // it hands work to the others.
    teardown.add { await ControlLoop.turn() }

    watchClock(configuration, on: libraryLoop, teardown)
    let library = try await openLibrary(configuration, on: libraryLoop, log: log, teardown)

    let folder = configuration.keyFolder
    let keys = try folder?.open()
    let authorized = try folder?.authorized()
    let access = AccessList(nodeKey: keys?.publicKey, group: configuration.fileGroup)
    if let authorized { access.replace(authorized) }
    let connections = try ConnectionWatch(
      on: connectionLoop, access: access,
      limits: configuration.limits.connections
        ?? ConnectionLimits(
          descriptors: DescriptorLimit.current, used: DescriptorLimit.used,
          cameras: configuration.cameraCount),
      log: log)
    let bus = try await NodeBus.open(
      configuration,
      ipc: try configuration.ipcFolder.map(configuration.ipcEndpoints),
      frames: frameLoop, connections: connections, doors: Doors(keys: keys, list: access),
      log: log, teardown: teardown)
    try configuration.share { (group) throws(SystemError) in
      for endpoints in [bus.endpoints, bus.ipc] {
        for socket in endpoints?.sockets ?? [] { try group.take(socket: socket) }
      }
    }
    let cameras = CameraDirectory()
    // Breaks a cycle of references: sessions hold services, which hold cameras, which hold
    // sessions.
    teardown.add { await cameras.removeAll() }
    let services = await NodeServices(
      configuration, bus: bus, cameras: cameras, library: library, syncLoop: syncLoop,
      deviceLoop: deviceLoop, memoryLoop: memoryLoop, log: log)
    teardown.add { await services.downloads.endAll() }
    for thread in await services.microphones.threads { teardown.addThread { thread.stop() } }

    let encoders = try startEncoders(configuration, on: frameLoop, for: bus.router, teardown)
    let builder = CameraBuilder(
      frames: bus.frames, encoders: encoders, services: services,
      driverCall: configuration.limits.driverCall, cameras: cameras,
      remembers: configuration.remembers)
    // Writes what the sessions have reported until their end.
    teardown.add { if await !services.memories.close() { teardown.leaveThreads() } }
    let roster = CameraRoster(builder, library: library, teardown: Teardown(in: teardown), log: log)
    teardown.add { await roster.close() }
    for camera in configuration.cameras { _ = try await roster.add(camera) }
    let adoptions = await AdoptionService(
      configuration, roster: roster, cameras: cameras, router: bus.router,
      deviceLoop: deviceLoop, log: log)
    teardown.add { await adoptions.close() }
    await library.watchSpace(for: configuration.cameras.map(\.name)) { room in
      bus.router.enter { services.take(room) }
    }
    await services.library.take(await library.findings)
    await services.library.keep(to: configuration.quota)
    await services.events.start()
    await services.subjectAreas.start()
    teardown.add { await services.subjectAreas.close() }
    try await watchPressure(configuration, services, encoders.lateness, teardown)
    let devices = await deviceLoop.run { services.devices.start { adoptions.take($0) } }
    teardown.add { await deviceLoop.run { services.devices.close() } }
    var keyService: KeyService?
    if let folder, let nodeKey = keys?.publicKey {
      let keys = KeyService(
        folder, of: nodeKey, for: access, cameras: CameraNames(configuration),
        connections: connections, on: libraryLoop, log: log,
        keepSets: { sets in
          bus.router.enter { bus.router.run("keys") { await bus.limited.keep(sets) } }
        },
        endRequests: { holder in
          bus.router.enter {
            services.leases.end(of: holder)
            bus.router.run("keys") { await bus.router.cancelRequests(of: holder) }
          }
        },
        tell: { news in bus.router.enter { services.events.publish(news) } })
      await libraryLoop.run { keys.start() }
      connections.onRefusal { keys.refused($0) }
      teardown.add { await libraryLoop.run { keys.close() } }
      keyService = keys
    }
    let recovery = try await recover(
      try await library.unfinishedMovies(), services, library, teardown)
    try await resumeDeferrals(services, library, by: encoders, log: log, teardown)
    await bus.router.serve(onLease: { services.leases.touch($0, by: $1) }) {
      services.entry(for: $0)
    }
    teardown.add { await services.close() }
    let driverEnd = configuration.limits.driverEnd
    teardown.add { await roster.stopSessions(within: driverEnd) }
    teardown.add {
      await roster.giveUp(after: driverEnd)
      configuration.finder.hurry()
      recovery.cancel()
      await bus.router.stopServing()
      await services.recordings.endAll(.nodeStopped)
      await services.livePhotos.close()
      // A bracket or a flash resumes on its session's thread, which ends next.
      let awaited = [
        "record_start", "recovery", "library_verify", "library_repair", CaptureService.shotsTask,
        LivePhotoService.task,
      ]
      await bus.router.ended { awaited.contains($0) }
    }
    try await startSessions(of: await cameras.all, keepsTrying: configuration.keepsTrying)
    await adoptions.take(devices)
    await adoptions.settle()
    // Take the states that the sessions have reported, or else the first request could come before.
    await ControlLoop.turn()
    let reloads = await ReloadService(
      configuration, roster: roster, adoptions: adoptions, cameras: cameras, keys: keyService,
      library: services.library, router: bus.router, log: log)
    if configuration.announces {
      announce(
        configuration, at: bus.endpoints.control, key: keys?.publicKey, log: log, teardown)
    }
    return Node(bus, keys: keyService, reloads: reloads, teardown: teardown)
  }

  /// Reading /proc takes milliseconds, so it is done where waiting for the disk is.
  private static func watchClock(
    _ configuration: NodeConfiguration, on loop: EventLoop, _ teardown: Teardown
  ) {
    WallClockError.shared.begin(stated: configuration.clockError?.wholeNanoseconds) {
      loop.perform {
        WallClockError.shared.found(ClockKeepers.source(ClockKeepers.running()))
      }
    }
    teardown.add { WallClockError.shared.end() }
  }

  private static func openLibrary(
    _ configuration: NodeConfiguration, on loop: EventLoop, log: Logger, _ teardown: Teardown
  ) async throws -> MediaLibrary {
    let library = try MediaLibrary(
      folder: configuration.library, loop: loop,
      minimumFreeBytes: configuration.limits.libraryReserve, group: configuration.fileGroup)
    teardown.add { await library.close() }
    for finding in try await library.open() { log.warning("library: \(finding)") }
    if let warning = LibraryAccess.warning(of: library.folder, group: configuration.group) {
      log.warning("library: \(warning)")
    }
    return library
  }

  /// What makes the files of photos. It ends after the photos that are still being stored.
  private static func startEncoders(
    _ configuration: NodeConfiguration, on loop: EventLoop, for router: RequestRouter,
    _ teardown: Teardown
  ) throws -> EncoderPool {
    let encoders = try EncoderPool(
      loop: loop, workers: ProcessInfo.processInfo.activeProcessorCount,
      encoder: configuration.photoEncoder.map { PhotoEncoder($0) })
    teardown.addThread { encoders.stop() }
    // When this step runs, the sessions have ended, and photos that waited for a frame have failed.
    // The other photos are still being stored.
    teardown.add {
      // Files that take longer than that are given up.
      let end = MonotonicTime.now + .seconds(5)
      let limit = await loop.run { loop.schedule(at: end) { encoders.abandonSlowFiles() } }
      await router.ended { ["capture", "shot_commit", "deferred"].contains($0) }
      await loop.run { limit.cancel() }
    }
    return encoders
  }

  /// Starts to watch how hard the machine is pressed, on a thread of its own, because a sensor may
  /// take long to answer.
  private static func watchPressure(
    _ configuration: NodeConfiguration, _ services: NodeServices, _ lateness: FrameLateness,
    _ teardown: Teardown
  ) async throws {
    guard let root = configuration.pressure.root else { return }
    let loop = try EventLoop.starting(name: "pressure")
    teardown.addThread { loop.stop() }
    let router = services.router
    let watch = PressureWatch(
      on: loop, root: root, pace: configuration.limits.pressure, lateness: lateness
    ) { state in
      router.enter { services.pressure.take(state) }
    }
    await loop.run { watch.start() }
    teardown.add { await loop.run { watch.close() } }
  }

  /// Starts to recover the movies that were cut off. The node serves requests meanwhile, and its
  /// library is repaired by the same thread later.
  private static func recover(
    _ movies: [AssetDraft], _ services: NodeServices, _ library: MediaLibrary, _ teardown: Teardown
  ) async throws -> MovieRecovery {
    let loop = try EventLoop.starting(name: "recovery")
    teardown.addThread { loop.stop() }
    let recovery = MovieRecovery(library, on: loop)
    await services.library.use(recovery)
    guard !movies.isEmpty else { return recovery }
    await services.router.run("recovery") {
      await services.recoveries.recover(movies, by: recovery)
    }
    return recovery
  }

  /// Goes on with the deferred photos that earlier runs have left, and with those of a library that
  /// takes the first one's place.
  private static func resumeDeferrals(
    _ services: NodeServices, _ library: MediaLibrary, by encoders: EncoderPool, log: Logger,
    _ teardown: Teardown
  ) async throws {
    let router = services.router
    await library.watchFindings { finding in
      log.warning("library: \(finding)")
      guard case .replaced = finding else { return }
      router.enter {
        router.run("findings") { services.library.take(await library.findings) }
        router.run("deferred") {
          if let deferred = try? await library.deferredPhotos() {
            services.deferrals.take(deferred)
          }
        }
      }
    }
    let deferred = try await library.deferredPhotos()
    await services.deferrals.take(deferred)
    await router.run("deferred") { await services.deferrals.run(by: encoders) }
    teardown.add { await services.deferrals.close() }
  }

  private static func startSessions(
    of cameras: [Camera], keepsTrying: Bool
  ) async throws {
    try await withThrowingTaskGroup { group in
      for camera in cameras {
        group.addTask {
          if keepsTrying {
            // One whose driver hangs says so in its state.
            _ = try? await camera.session.run { $0.startPersistently() }
          } else {
            do {
              try await camera.session.run { try $0.start() }
            } catch let error as CaptureError {
              throw NodeError(camera: camera.name, error)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
