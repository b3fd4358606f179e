import CameraProtocol
import Capture
import EventLoop
import Logging
import MediaLibrary
import OperatingSystem

/// Makes cameras of the devices that match the node's rules, and removes them when their devices
/// have gone.
@ControlLoop final class AdoptionService {
  private static let work = "adoption"

  private let roster: CameraRoster
  private let cameras: CameraDirectory
  private let router: RequestRouter
  private let finder: any DeviceFinder
  private let deviceLoop: EventLoop
  private let log: Logger
  private var book: AdoptionBook
  /// What the configuration names for its cameras, which are not to be adopted.
  private var reserved: Set<String>
  private var present: [FoundDevice] = []
  private var timer: LoopTimer?
  private var isClosed = false

  /// - Parameter deviceLoop: A thread that may wait for drivers.
  init(
    _ configuration: NodeConfiguration, roster: CameraRoster, cameras: CameraDirectory,
    router: RequestRouter, deviceLoop: EventLoop, log: Logger
  ) {
    self.roster = roster
    self.cameras = cameras
    self.router = router
    finder = configuration.finder
    self.deviceLoop = deviceLoop
    self.log = log
    book = AdoptionBook(
      rules: configuration.adoptions, limit: configuration.limits.adoptedCameras,
      patience: configuration.limits.adoptionPatience)
    reserved = configuration.deviceNames
  }

  /// Takes other rules, and other cameras that the configuration names. Cameras of a rule that is
  /// there no more are removed, and a rule of which only the start has changed begins its cameras
  /// anew.
  func take(_ configuration: NodeConfiguration) {
    reserved = configuration.deviceNames
    for (name, rules) in book.staying(by: configuration.adoptions) {
      guard let camera = cameras[name] else { continue }
      _ = roster.change(
        camera, from: (rules.old.options, rules.old.start),
        to: (rules.new.options, rules.new.start))
    }
    perform(book.take(configuration.adoptions))
    look()
  }

  /// Takes the devices that are there now.
  func take(_ devices: [FoundDevice]) {
    present = devices
    look()
  }

  /// Waits until all that was begun is done.
  func settle() async { await router.ended { $0 == Self.work } }

  /// Adopts and removes nothing any more.
  func close() async {
    isClosed = true
    timer?.cancel()
    await settle()
  }

  private func look() {
    guard !isClosed else { return }
    perform(book.look(at: present, now: .now, isTaken: isTaken) { cameras[$0] != nil })
    timer?.cancel()
    timer = book.deadline.map { moment in
      ControlLoop.schedule(at: moment) { [weak self] in self?.look() }
    }
  }

  private func perform(_ actions: [AdoptionBook.Action]) {
    for action in actions {
      switch action {
      case .adopt(let adoption):
        cameras.arriving[adoption.name] = adoption.device
        router.run(Self.work) { await self.adopt(adoption) }
      case .remove(let name):
        router.run(Self.work) { await self.remove(name) }
      case .decline(let device):
        log.warning(
          "device \(device.location) (\(device.model)) is not adopted: there are too many already")
      }
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
    let device = await deviceLoop.run { [finder] in finder.device(adoption.device.identity) }
    let plan = CameraPlan(
      name: name, input: SessionInput(device, adoption.rule.request),
      options: adoption.rule.options, start: adoption.rule.start, isAdopted: true)
    do throws(LoopShortage) {
      let camera = try await roster.add(plan)
      log.info("camera \(name) is \(adoption.device.location) (\(adoption.device.model))")
      _ = try? await camera.session.run { $0.startPersistently() }
    } catch {
      log.error("device \(adoption.device.location) is not adopted: \(error.message)")
      return book.removed(name)
    }
    book.adopted(name)
    look()
  }

  private func remove(_ name: String) async {
    guard let camera = cameras[name] else { return }
    await roster.remove(camera)
    log.info("camera \(name) has gone with its device")
    book.removed(name)
    look()
  }
}
