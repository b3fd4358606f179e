import Capture
import EventLoop
import Logging

/// Brings the running node to another configuration, without ending what has not changed.
@ControlLoop final class ReloadService {
  private static let work = "reload"

  private let roster: CameraRoster
  private let adoptions: AdoptionService
  private let cameras: CameraDirectory
  private let keys: KeyService?
  private let library: LibraryService
  private let router: RequestRouter
  private let log: Logger
  private var present: NodeConfiguration
  /// The configuration that comes next.
  private var next: NodeConfiguration?
  private var isBusy = false

  init(
    _ configuration: NodeConfiguration, roster: CameraRoster, adoptions: AdoptionService,
    cameras: CameraDirectory, keys: KeyService?, library: LibraryService, router: RequestRouter,
    log: Logger
  ) {
    present = configuration
    self.roster = roster
    self.adoptions = adoptions
    self.cameras = cameras
    self.keys = keys
    self.library = library
    self.router = router
    self.log = log
  }

  /// Can be called on any thread. The newest configuration counts.
  nonisolated func take(_ configuration: NodeConfiguration) {
    router.enter { [self] in
      next = configuration
      guard !isBusy else { return }
      isBusy = true
      router.run(Self.work) { [self] in
        while let new = next {
          next = nil
          await change(to: new)
        }
        isBusy = false
      }
    }
  }

  private func change(to new: NodeConfiguration) async {
    let old = present
    present = new
    for key in old.keysOfStart(besides: new) {
      log.warning("\(key) has changed in the configuration: restart the node for it")
    }
    var counts = (removed: 0, added: 0, changed: 0)
    for camera in old.cameras where !new.cameras.contains(where: { $0.isSame(as: camera) }) {
      guard let camera = cameras[camera.name] else { continue }
      await roster.remove(camera)
      counts.removed += 1
    }
    for camera in new.cameras {
      guard let before = old.cameras.first(where: { $0.isSame(as: camera) }) else {
        counts.added += await add(camera) ? 1 : 0
        continue
      }
      guard let present = cameras[camera.name] else { continue }
      let isOther = roster.change(
        present, from: (before.options, before.start), to: (camera.options, camera.start))
      if isOther { counts.changed += 1 }
    }
    if old.quota != new.quota { await library.keep(to: new.quota) }
    keys?.take(CameraNames(new))
    adoptions.take(new)
    log.notice(
      "the configuration was read again: cameras removed \(counts.removed), added \(counts.added), changed \(counts.changed)"
    )
  }

  private func add(_ configuration: CameraConfiguration) async -> Bool {
    do throws(LoopShortage) {
      // Not to wait for a driver.
      try await roster.add(configuration).session.enter { $0.startPersistently() }
      return true
    } catch {
      log.error("camera \(configuration.name) cannot be added: \(error.message)")
      return false
    }
  }
}

extension NodeConfiguration {
  /// The keys of the configuration that count at the start alone and differ in another one.
  fileprivate func keysOfStart(besides other: NodeConfiguration) -> [String] {
    [
      ("name", name != other.name), ("control", control != other.control),
      ("events", events != other.events), ("frames", frames != other.frames),
      ("ipc", ipcFolder != other.ipcFolder), ("limited_ports", limitedPorts != other.limitedPorts),
      ("library", library != other.library), ("reserve", reserve != other.reserve),
      ("group", group != other.group), ("insecure", isInsecure != other.isInsecure),
      ("keys", keys != other.keys), ("state", state != other.state),
      ("remember", remembers != other.remembers), ("pressure", pressure != other.pressure),
      ("clock_error", clockError != other.clockError), ("announce", announces != other.announces),
      (
        "microphones",
        !microphones.elementsEqual(other.microphones) { $0.isSame(as: $1) }
      ),
    ].filter(\.1).map(\.0)
  }
}
