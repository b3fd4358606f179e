import CameraProtocol
import Capture
import EventLoop
import Foundation
import Keys
package import Logging
import MediaLibrary
import OperatingSystem
import Recording
import ZeroMQ

/// A running node: its threads, cameras, library and endpoints.
///
/// Threads: *control* (requests and events), *frames* (drivers' descriptors and the frames socket),
/// *connections* (their shares of memory and descriptors), *devices* (looks for cameras, and waits
/// for their drivers), *pressure* (asks sensors), *library* (disk), *sync* (waits until
/// recordings are on the disk), two for each camera (blocking driver calls, and writing movies),
/// one for each core (JPEGs), a watchdog over *control* and *frames*, and after a crash *recovery*
/// (recovers movies that were cut off).
package final class Node: Sendable {
  package let endpoints: NodeEndpoints
  /// The threads that must never wait.
  private let loops: [EventLoop]
  private let keys: KeyService?
  private let teardown: Teardown

  private init(_ bus: NodeBus, keys: KeyService?, teardown: Teardown) {
    endpoints = bus.endpoints
    loops = bus.loops
    self.keys = keys
    self.teardown = teardown
  }

  /// Starts a node. If a part cannot start, the parts that did are stopped again.
  /// - Throws: `NodeError` with the sentence to show.
  /// - Parameter onStuck: Called once, on any thread, when a thread of the node has not turned for
  ///   ten seconds. The node cannot be stopped then.
  package static func start(
    _ configuration: NodeConfiguration, log: Logger,
    onStuck: @escaping @Sendable (_ thread: String, _ activity: String) -> Void = { _, _ in }
  ) async throws(NodeError) -> Node {
    let teardown = Teardown()
    do {
      return try await assemble(
        configuration, log: log, onStuck: onStuck, teardown: teardown)
    } catch {
      await teardown.run()
      throw NodeError(error)
    }
  }

  /// Returns when the threads that must never wait have turned once.
  package func pulse() async {
    for loop in loops { await loop.run {} }
  }

  /// Reads the folder of keys again. The node does so by itself when it changes, unless the
  /// folder's disk tells nothing.
  package func reload() { keys?.reload() }

  /// Finishes recordings, answers the requests in progress, and closes cameras and endpoints.
  package func stop() async {
    await teardown.run()
  }

  private static func assemble(
    _ configuration: NodeConfiguration, log: Logger,
    onStuck: @escaping @Sendable (_ thread: String, _ activity: String) -> Void, teardown: Teardown
  ) async throws -> Node {
    try configuration.validate()
    let controlLoop = try EventLoop.starting(name: "control", slices: .short)
    let frameLoop = try EventLoop.starting(name: "frames", slices: .short)
    let connectionLoop = try EventLoop.starting(name: "connections", slices: .short)
    let libraryLoop = try EventLoop.starting(name: "library")
    let syncLoop = try EventLoop.starting(name: "sync")
    let deviceLoop = try EventLoop.starting(name: "devices")
    let watchdog = try LoopWatchdog([controlLoop, frameLoop]) { onStuck($0.name, $0.activity) }
    teardown.addBlocking { watchdog.end() }
    // Steps run from the newest to the oldest: the control loop ends first, because it hands work
    // to the others.
    for loop in [frameLoop, libraryLoop, syncLoop, deviceLoop, connectionLoop, controlLoop] {
      teardown.addBlocking { loop.stop() }
    }

    // Reading /proc takes milliseconds, so it is done where waiting for the disk is.
    WallClockError.shared.begin(stated: configuration.clockError?.wholeNanoseconds) {
      libraryLoop.perform {
        WallClockError.shared.found(ClockKeepers.compute(ClockKeepers.running()))
      }
    }
    teardown.add { WallClockError.shared.end() }

    let library = try MediaLibrary(
      folder: configuration.library, loop: libraryLoop,
      minimumFreeBytes: configuration.limits.libraryReserve, group: configuration.fileGroup)
    teardown.add { await library.close() }
    for finding in try await library.open() { log.warning("library: \(finding)") }
    if let warning = LibraryAccess.warning(of: library.folder, group: configuration.group) {
      log.warning("library: \(warning)")
    }
    await library.watchFindings { log.warning("library: \($0)") }

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
      ipc: try configuration.ipcFolder.map { try ipcEndpoints(in: $0, configuration) },
      control: controlLoop, frames: frameLoop, connections: connections,
      doors: Doors(keys: keys, list: access), log: log, teardown: teardown)
    try share(configuration) { (group) throws(SystemError) in
      for endpoints in [bus.endpoints, bus.ipc] {
        for socket in endpoints?.sockets ?? [] { try group.take(socket: socket) }
      }
    }
    let cameras = CameraDirectory()
    // Breaks a cycle of references: sessions hold services, which hold cameras, which hold
    // sessions.
    teardown.add { await controlLoop.run { cameras.removeAll() } }
    let services = NodeServices(
      configuration, bus: bus, cameras: cameras, library: library, syncLoop: syncLoop,
      deviceLoop: deviceLoop, log: log)
    teardown.add { await controlLoop.run { services.downloads.endAll() } }

    let encoders = try EncoderPool(
      loop: frameLoop, workers: ProcessInfo.processInfo.activeProcessorCount)
    teardown.addBlocking { encoders.stop() }
    // When this step runs, the sessions have ended, and photos that waited for a frame have failed.
    // The other photos are still being stored.
    teardown.add { await bus.router.ended { $0 == "capture" } }

    let builder = CameraBuilder(
      frames: bus.frames, encoders: encoders, services: services, cameras: cameras)
    for camera in configuration.cameras {
      let camera = try await add(camera, by: builder, log: log, teardown: teardown)
      await controlLoop.run { cameras.add(camera) }
    }
    let adoptions = AdoptionService(
      configuration, builder: builder, library: library, deviceLoop: deviceLoop,
      log: log)
    teardown.add { await adoptions.close() }
    await library.watchSpace(for: configuration.cameras.map(\.name)) { room in
      bus.router.enter { _ in services.take(room) }
    }
    await controlLoop.run {
      services.events.start()
      services.subjectAreas.start()
    }
    teardown.add { await controlLoop.run { services.subjectAreas.close() } }
    try await watchPressure(configuration, services, teardown)
    let devices = await deviceLoop.run { services.devices.start { adoptions.take($0) } }
    teardown.add { await deviceLoop.run { services.devices.close() } }
    var keyService: KeyService?
    if let folder, let nodeKey = keys?.publicKey {
      let keys = KeyService(
        folder, of: nodeKey, for: access, cameras: CameraNames(configuration),
        connections: connections, on: libraryLoop, log: log,
        keepSets: { sets in
          bus.router.enter { router in router.run("keys") { await bus.limited.keep(sets) } }
        },
        endRequests: { holder in
          bus.router.enter { router in
            services.leases.end(of: holder)
            router.run("keys") { await router.cancelRequests(of: holder) }
          }
        },
        tell: { news in bus.router.enter { _ in services.events.publish(news) } })
      try await libraryLoop.run { () throws(SystemError) in try keys.start() }
      connections.onRefusal { keys.refused($0) }
      teardown.add { await libraryLoop.run { keys.close() } }
      keyService = keys
    }
    let recovery = try await recover(
      try await library.unfinishedMovies(), services, library, teardown)
    await bus.router.serve(onLease: { services.leases.touch($0, by: $1) }) {
      services.entry(for: $0)
    }
    teardown.add { await controlLoop.run { services.leases.close() } }
    teardown.add {
      recovery?.cancel()
      await bus.router.stopServing()
      await controlLoop.run { services.recordings.endAll(.nodeStopped) }
      await bus.router.ended { $0 == "record_start" || $0 == "recovery" }
    }
    try await startSessions(of: cameras.all, keepsTrying: configuration.keepsTrying)
    await controlLoop.run { adoptions.take(devices) }
    await adoptions.settle()
    // Take the states that the sessions have reported, or else the first request could come before.
    await controlLoop.run {}
    return Node(bus, keys: keyService, teardown: teardown)
  }

  /// Starts to watch how hard the machine is pressed, on a thread of its own, because a sensor may
  /// take long to answer.
  private static func watchPressure(
    _ configuration: NodeConfiguration, _ services: NodeServices, _ teardown: Teardown
  ) async throws {
    let root: String
    switch configuration.pressure {
    case .off: return
    case .machine: root = ""
    case .folder(let folder): root = folder
    }
    let loop = try EventLoop.starting(name: "pressure")
    teardown.addBlocking { loop.stop() }
    let router = services.router
    let watch = PressureWatch(on: loop, root: root, pace: configuration.limits.pressure) { state in
      router.enter { _ in services.pressure.take(state) }
    }
    await loop.run { watch.start() }
    teardown.add { await loop.run { watch.close() } }
  }

  /// Starts to recover the movies that were cut off. The node serves requests meanwhile.
  private static func recover(
    _ movies: [AssetDraft], _ services: NodeServices, _ library: MediaLibrary, _ teardown: Teardown
  ) async throws -> MovieRecovery? {
    guard !movies.isEmpty else { return nil }
    let loop = try EventLoop.starting(name: "recovery")
    teardown.addBlocking { loop.stop() }
    let recovery = MovieRecovery(library, on: loop)
    await services.router.run("recovery") {
      await services.recoveries.recover(movies, by: recovery)
    }
    return recovery
  }

  /// Runs `body` with the group that may use the node's files, if there is one.
  private static func share(
    _ configuration: NodeConfiguration, _ body: (FileGroup) throws(SystemError) -> Void
  ) throws(ConfigurationError) {
    guard let name = configuration.group, let group = configuration.fileGroup else { return }
    do throws(SystemError) {
      try body(group)
    } catch {
      throw ConfigurationError(
        "nothing can be given to the group \(name) (\(error)): let user \(geteuid()) own it")
    }
  }

  private static func ipcEndpoints(
    in folder: String, _ configuration: NodeConfiguration
  ) throws(ConfigurationError) -> NodeEndpoints {
    let present = try? FileStatus(at: folder)
    if present?.isFolder != true {
      do throws(SystemError) {
        try Folder.create(folder, for: configuration.fileGroup)
      } catch {
        throw ConfigurationError(
          "--ipc \(folder) cannot be made: make it, or name a folder that you may write to")
      }
    }
    // A folder that others may enter, such as /tmp, is not the node's alone and stays as it is.
    if present?.isFolder != true || present?.isForThisUserAlone == true {
      try share(configuration) { (group) throws(SystemError) in
        try group.take(folder: folder, depth: 0)
      }
    }
    return NodeEndpoints(ipcFolder: folder)
  }

  private static func add(
    _ configuration: CameraConfiguration, by builder: CameraBuilder, log: Logger,
    teardown: Teardown
  ) async throws -> Camera {
    let name = configuration.name
    let source = configuration.source.resolved()
    if let reason = source.standInReason { log.warning("camera \(name) is simulated: \(reason)") }
    let camera = await builder.camera(
      name, SessionInput(source.device, source.request), configuration.options,
      standInReason: source.standInReason, on: try CameraThreads.start(name, teardown))
    teardown.add { await camera.session.stop(isLast: true) }
    return camera
  }

  private static func startSessions(
    of cameras: [Camera], keepsTrying: Bool
  ) async throws {
    try await withThrowingTaskGroup { group in
      for camera in cameras {
        group.addTask {
          if keepsTrying {
            await camera.session.startPersistently()
          } else {
            do {
              try await camera.session.start()
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
