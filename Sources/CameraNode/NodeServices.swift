import EventLoop
import Logging
import MediaLibrary
import Recording

/// The services of a node. Each serves one group of requests.
struct NodeServices: Sendable {
  let router: RequestRouter
  let status: StatusService
  let events: EventsService
  let devices: DeviceService
  let leases: LeaseService
  let idle: IdleService
  let pressure: PressureService
  let subjectAreas: SubjectAreaService
  let sessions: SessionService
  let controls: ControlsService
  let captures: CaptureService
  let shots: ShotService
  let deferrals: DeferredService
  let brackets: BracketJournal
  let memories: MemoryService
  let microphones: MicrophoneService
  let recordings: RecordingService
  let livePhotos: LivePhotoService
  let recoveries: RecoveryService
  let library: LibraryService
  let downloads: DownloadService
  let reports: CameraReports

  /// - Parameters:
  ///   - syncLoop: The thread that waits until recordings are on the disk.
  ///   - deviceLoop: The thread that looks for cameras.
  ///   - memoryLoop: The thread that waits for the disk with what is remembered.
  @ControlLoop init(
    _ configuration: NodeConfiguration, bus: NodeBus, cameras: CameraDirectory,
    library: MediaLibrary, syncLoop: EventLoop, deviceLoop: EventLoop, memoryLoop: EventLoop,
    log: Logger
  ) {
    router = bus.router
    events = bus.events
    deferrals = DeferredService(
      cameras: cameras, events: events, library: library,
      pause: configuration.limits.recoveryPause, log: log)
    pressure = PressureService(
      cameras: cameras, events: events, frames: bus.frames, deferrals: deferrals,
      stalls: configuration.pressure.root.map(RecentStalls.init), log: log)
    subjectAreas = SubjectAreaService(cameras: cameras, events: events, router: router)
    status = StatusService(
      NodeFacts(name: configuration.name, library: library.folder), bus, cameras, pressure,
      deferrals)
    idle = IdleService()
    microphones = MicrophoneService(
      configuration.microphones, deviceLoop: deviceLoop, router: router)
    let sound = microphones
    status.describeMicrophones = { sound.statuses(for: $0) }
    recordings = RecordingService(
      cameras: cameras, microphones: microphones, idle: idle, pressure: pressure,
      subjectAreas: subjectAreas, events: events, library: library,
      reserve: configuration.limits.libraryReserve, syncLoop: syncLoop, log: router.log)
    livePhotos = LivePhotoService(
      cameras: cameras, microphones: microphones, recordings: recordings, events: events,
      library: library, reserve: configuration.limits.libraryReserve, syncLoop: syncLoop,
      log: router.log)
    devices = DeviceService(
      cameras: cameras, events: events, router: router, on: deviceLoop,
      finder: configuration.finder,
      log: log)
    leases = LeaseService(cameras: cameras, events: events, log: router.log)
    brackets = BracketJournal(library, log: log)
    let (bus, cameras) = (bus, cameras)
    memories = MemoryService(
      MemoryFolder(path: configuration.stateFolder), on: memoryLoop, router: router, log: log
    ) { name in
      if let camera = cameras[name] { bus.events.publishState(of: camera) }
    }
    sessions = SessionService(
      cameras: cameras, devices: devices, leases: leases, idle: idle,
      subjectAreas: subjectAreas, events: events, recordings: recordings, livePhotos: livePhotos,
      brackets: brackets, memories: memories, log: router.log)
    controls = ControlsService(cameras: cameras, leases: leases, memories: memories)
    captures = CaptureService(
      cameras: cameras, leases: leases, idle: idle, events: events, library: library,
      brackets: brackets, deferrals: deferrals, livePhotos: livePhotos, epoch: router.epoch)
    shots = ShotService(cameras: cameras, leases: leases, captures: captures, events: events)
    recoveries = RecoveryService(
      cameras: cameras, events: events, firstPause: configuration.limits.recoveryPause, log: log)
    self.library = LibraryService(
      cameras: cameras, recoveries: recoveries, deferrals: deferrals, events: events,
      router: router, library: library, log: log)
    let assets = self.library
    status.describeLibrary = { assets.describe(in: &$0, for: $1) }
    downloads = DownloadService(
      library: library, patience: configuration.limits.downloadPatience,
      grace: configuration.limits.downloadGrace)
    reports = CameraReports()
    reports.add([captures, recordings, leases, subjectAreas, livePhotos, memories])
  }

  @ControlLoop func close() {
    leases.close()
    router.log.close()
  }

  /// Takes whether the library can store more.
  @ControlLoop func take(_ room: LibraryRoom) {
    status.room = room
    captures.take(room)
    deferrals.take(room)
    if room.isFull { recordings.endAll(.storageFull) }
  }
}
