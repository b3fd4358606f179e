import CameraProtocol
import Capture
import EventLoop
import Logging
import MediaLibrary
import OperatingSystem

/// Makes cameras of the devices that match the node's rules, and removes them when their devices
/// have gone.
// @unchecked: the constants are safe to share; the variables belong to the control loop.
final class AdoptionService: @unchecked Sendable {
  private static let work = "adoption"

  private let builder: CameraBuilder
  private let library: MediaLibrary
  private let finder: any DeviceFinder
  private let deviceLoop: EventLoop
  /// Stops the threads.
  private let teardown: Teardown
  private let log: Logger
  private var book: AdoptionBook
  /// What the configuration names for its cameras, which are not to be adopted.
  private let reserved: Set<String>
  private var present: [FoundDevice] = []
  private var timer: LoopTimer?
  private var isClosed = false
  /// Threads of cameras that have been removed. They are used again, and run until the node ends,
  /// because a request may still come to such a camera's session.
  private var idle: [CameraThreads] = []
  private var threads: [String: CameraThreads] = [:]
  private var threadCount = 0

  private var services: NodeServices { builder.services }
  private var cameras: CameraDirectory { builder.cameras }
  private var router: RequestRouter { builder.services.router }

  /// - Parameters:
  ///   - deviceLoop: a thread that may wait for drivers.
  ///   - teardown: for the threads of adopted cameras.
  init(
    _ configuration: NodeConfiguration, builder: CameraBuilder, library: MediaLibrary,
    deviceLoop: EventLoop, teardown: Teardown, log: Logger
  ) {
    self.teardown = teardown
    self.builder = builder
    self.library = library
    finder = configuration.finder
    self.deviceLoop = deviceLoop
    self.log = log
    book = AdoptionBook(
      rules: configuration.adoptions, limit: configuration.limits.adoptedCameras,
      patience: configuration.limits.adoptionPatience)
    reserved = Set(configuration.cameras.flatMap(\.source.deviceNames))
  }

  /// Takes the devices that are there now.
  func take(_ devices: [FoundDevice]) {
    present = devices
    look()
  }

  /// Waits until all that was begun is done.
  func settle() async { await router.ended { $0 == Self.work } }

  /// Stops the adopted cameras with the node. Call it outside of the control loop.
  func close() async {
    await router.loop.run { [self] in
      isClosed = true
      timer?.cancel()
    }
    await settle()
    let adopted = await router.loop.run { [cameras] in cameras.all.filter(\.isAdopted) }
    for camera in adopted { await camera.end(teardown) }
    await teardown.run()
  }

  private func look() {
    guard !isClosed else { return }
    let actions = book.look(at: present, now: .now, isTaken: isTaken) { cameras[$0] != nil }
    for action in actions {
      switch action {
      case .adopt(let adoption):
        cameras.arriving[adoption.name] = adoption.device
        router.assumeIsolated { $0.run(Self.work) { await self.adopt(adoption) } }
      case .remove(let name):
        router.assumeIsolated { $0.run(Self.work) { await self.remove(name) } }
      case .decline(let device):
        log.warning(
          "device \(device.location) (\(device.model)) is not adopted: there are too many already")
      }
    }
    timer?.cancel()
    timer = book.deadline.map { moment in
      router.loop.schedule(at: moment) { [weak self] in self?.look() }
    }
  }

  private func isTaken(_ found: FoundDevice) -> Bool {
    let device = found.description
    let node = device.location.split(separator: "/").last.map(String.init) ?? ""
    return !reserved.isDisjoint(with: found.names.union([node]))
      || cameras.all.contains { camera in
        !camera.isAdopted
          && (camera.has(device)
            || camera.ownInput.device.identification.isSameDevice(as: device))
      }
  }

  // MARK: Coming and going

  private func adopt(_ adoption: AdoptionBook.Adoption) async {
    let name = adoption.name
    defer { cameras.arriving[name] = nil }
    do throws(LoopShortage) {
      threads[name] = if let threads = idle.popLast() { threads } else { try start() }
    } catch {
      log.error("device \(adoption.device.location) is not adopted: \(error.message)")
      return book.removed(name)
    }
    guard let threads = threads[name] else { return }
    let device = await deviceLoop.run { [finder] in finder.device(adoption.device.identity) }
    let camera = await builder.camera(
      name, SessionInput(device, adoption.rule.request), adoption.rule.options, isAdopted: true,
      on: threads)
    cameras.add(camera)
    services.pressure.update(camera)
    log.info("camera \(name) is \(adoption.device.location) (\(adoption.device.model))")
    if let room = services.status.room { services.captures.take(room) }
    await library.watchSpace(of: cameras.all.map(\.name))
    _ = try? await camera.session.run { $0.startPersistently() }
    book.adopted(name)
    look()
  }

  private func start() throws(LoopShortage) -> CameraThreads {
    threadCount += 1
    return try CameraThreads.start("adopted-\(threadCount)", teardown)
  }

  /// Ends all that the camera does, and tells everybody that the node has it no more.
  private func remove(_ name: String) async {
    guard let camera = cameras[name] else { return }
    let isFree = await camera.end(teardown)
    await services.recordings.waitForEnd(of: camera)
    services.leases.end(of: camera)
    services.subjectAreas.watch(camera, threshold: 0)
    camera.hasLeft = true
    services.events.publishEnd(of: camera)
    cameras.remove(camera)
    await builder.frames.remove(camera.streams)
    await library.watchSpace(of: cameras.all.map(\.name))
    if let threads = threads.removeValue(forKey: name), isFree { idle.append(threads) }
    log.info("camera \(name) has gone with its device")
    book.removed(name)
    look()
  }
}
