import CameraProtocol
import Capture
import Digest
import EventLoop
import Imaging
import MediaLibrary
import OperatingSystem

/// Takes photos: the camera's pipeline chooses the frame, the library stores the picture, and the
/// client and the monitors get each step.
@ControlLoop final class CaptureService: CameraReporter {
  let cameras: CameraDirectory
  let leases: LeaseService
  let idle: IdleService
  private let events: EventsService
  private let library: MediaLibrary
  let brackets: BracketJournal
  private let deferrals: DeferredService
  private let livePhotos: LivePhotoService
  private let epoch: Epoch
  private var lastTicket: UInt64 = 0
  /// The photos that can still lose their places to others.
  private var waiting: [RequestID: Call] = [:]
  /// What was seen last of the library's disk.
  private var room: LibraryRoom?
  /// The photos that have lost their places.
  private var displaced: Set<RequestID> = []

  init(
    cameras: CameraDirectory, leases: LeaseService, idle: IdleService, events: EventsService,
    library: MediaLibrary, brackets: BracketJournal, deferrals: DeferredService,
    livePhotos: LivePhotoService, epoch: Epoch
  ) {
    self.cameras = cameras
    self.leases = leases
    self.idle = idle
    self.events = events
    self.library = library
    self.brackets = brackets
    self.deferrals = deferrals
    self.livePhotos = livePhotos
    self.epoch = epoch
  }

  /// - Parameter reservation: Has a place that this photo takes.
  /// - Returns: The answer that the client got.
  @discardableResult
  func capture(
    _ order: CaptureOrder, _ call: Call, inPlaceOf reservation: RequestID? = nil
  ) async throws -> Result<WireCaptureResult, any Error> {
    let job = try job(order, of: try cameras.named(order.camera, for: call.access), call)
    let camera = job.camera
    defer {
      for camera in job.cameras {
        idle.end(.request(call.id), of: camera)
        update(camera) { $0.places.free(call.id) }
      }
      waiting[call.id] = nil
      displaced.remove(call.id)
    }
    for camera in job.cameras {
      if let reservation, camera.part(Photos.self).places.pass(reservation, to: call.id) {
        continue
      }
      var loser: RequestID?
      try update(camera) {
        loser = try $0.places.take(
          call.id, for: call.holder, isLate: order.timing.isLate(since: call.asked)
        ) { waiting[$0]?.hasClient == false }
      }
      if let loser { await displace(loser) }
    }
    do {
      let result = try await photo(job)
      call.finish(.capture(result))
      events.publish(captureOf: call.id, .completed(result.withoutDepth), ofCamera: camera.name)
      return .success(result)
    } catch {
      call.fail(error)
      events.publish(
        captureOf: call.id, .failed(WireError(error, in: call.kind)), ofCamera: camera.name)
      return .failure(error)
    }
  }

  /// - Throws: Why its camera or its depth camera cannot take it now.
  private func job(_ order: CaptureOrder, of camera: Camera, _ call: Call) throws -> CaptureJob {
    try camera.requireStream()
    if order.isLive { try livePhotos.require(camera) }
    return CaptureJob(order, of: camera, depth: try depthCamera(order, of: camera, call), call)
  }

  // MARK: Photos that are asked for later

  /// Takes a place for a photo, under the request's id, and wakes its cameras, until `release`.
  func reserve(_ order: CaptureOrder, of camera: Camera, _ call: Call) throws -> CaptureJob {
    let job = try job(order, of: camera, call)
    if !order.isTransient { try requireSomeRoom() }
    for camera in job.cameras {
      do {
        try update(camera) { try $0.places.take(call.id, for: call.holder) }
      } catch {
        release(call.id, of: job.cameras)
        throw error
      }
      idle.begin(.request(call.id), of: camera)
    }
    return job
  }

  /// Waits until the cameras of a reserved photo stream.
  /// - Throws: Why one does not, or why its frames cannot become what is asked for.
  func await(_ job: CaptureJob) async throws {
    for camera in job.cameras {
      try await idle.wake(camera, for: job.call, needsPictures: camera === job.camera)
    }
    let camera = job.camera
    guard let format = camera.sessionStatus.format else { return }
    var source = PhotoSource(format.layout)
    source.orientation = camera.ownOrientation
    try job.order.photos.check(
      source, camera.orientations.capture.merged(with: job.order.photos.orientation))
  }

  func release(_ reservation: RequestID, of cameras: [Camera]) {
    for camera in cameras {
      idle.end(.request(reservation), of: camera)
      update(camera) { $0.places.free(reservation) }
    }
  }

  // MARK: Readiness

  /// Takes a camera's new number of photos that wait for a frame or an encoder.
  func take(_ load: PhotoLoad, ofCamera name: String) {
    guard let camera = cameras[name] else { return }
    update(camera) { $0.load = load }
  }

  /// Takes whether the library can store more.
  func take(_ room: LibraryRoom) {
    self.room = room
    for camera in cameras.all {
      let error = room.error(ofCamera: camera.name).map { CaptureError($0) }
      let disk: Readiness.Storage =
        switch error?.code {
        case nil: .hasRoom
        case .storageFull?: .isFull
        default: .hasFailed
        }
      update(camera) { $0.disk = disk }
    }
  }

  /// Changes a camera, and publishes its readiness if that changed.
  private func update(_ camera: Camera, _ change: (Photos) throws -> Void) rethrows {
    let before = readiness(of: camera)
    try change(camera.part(Photos.self))
    if readiness(of: camera) != before { events.publishState(of: camera) }
  }

  private func readiness(of camera: Camera) -> Readiness {
    let (session, photos) = (camera.sessionStatus, camera.part(Photos.self))
    return Readiness(
      state: session.state, isTakingStill: session.isTakingStill, format: session.format,
      hasFrames: camera.hasFrames, load: photos.load,
      storage: photos.disk == .hasRoom && photos.places.isFull ? .isBusy : photos.disk)
  }

  func describe(_ camera: Camera, in status: inout WireCameraStatus, _: WallClockSample) {
    status.readiness = WireReadiness(readiness(of: camera))
  }

  // MARK: One photo

  /// Ends a photo whose place another one has got, unless its frame has been taken meanwhile.
  private func displace(_ photo: RequestID) async {
    displaced.insert(photo)
    await waiting[photo]?.cancel()
  }

  private func photo(_ job: CaptureJob) async throws -> WireCaptureResult {
    var job = job
    let (camera, call, order) = (job.camera, job.call, job.order)
    // Nothing is started or made for a photo that certainly fails.
    if !order.isTransient { try requireSomeRoom() }
    try order.timing.check(deadline: call.deadline)
    if order.photos.isDeferred { try deferrals.begin(order.photos, of: camera, call) }
    defer { deferrals.end(call) }
    // A camera that was idle at a past moment has no frame of it, so starting it is of no use.
    for camera in job.cameras {
      idle.begin(.request(call.id), of: camera, wakes: !order.timing.isPast(at: call.asked))
    }
    try await decideFlash(&job)
    let report = PhotoReport(job: job, events: events)
    let taker = try await depthTaker(job)
    let still = try await still(job) { report.willBegin($0) }
    let shots = try await shots(job, taker)
    var pictures = StoredPictures(job.order)
    var movie: LiveMovie?
    let (steps, interruption) =
      shots.map { ($0.steps, Interruption()) } ?? steps(job, still, taker)
    return try await call.interruptible(by: interruption) { [job] in
      do {
        for await step in steps {
          switch step {
          case .willBegin(let plan): report.willBegin(plan)
          case .willCapture(let picture): report.willCapture(picture)
          case .captured(let resolved):
            call.isDone = true
            waiting[call.id] = nil
            report.didCapture(resolved)
            if order.isLive {
              movie = livePhotos.begin(resolved, order.labels, of: camera, call) {
                report.didRecordMovie(resolved)
              }
            }
          case .processed(let resolved, let file, let index):
            if pictures.rest == 1 { made(job) }
            let source = file.part == .picture ? camera : job.depth ?? camera
            guard !order.isTransient || order.isInline(file) else {
              throw WireError.tooLarge(file)
            }
            report.didProcess(resolved, file, index, of: source)
            pictures.add(try await store(file, resolved, of: source, job), index, of: resolved)
          case .deferred(let resolved, let proxy, let photo):
            if pictures.rest == 1 { made(job) }
            report.didProcess(resolved, proxy, 0, of: camera)
            let asset = try await deferrals.store(
              proxy, keeping: photo,
              AssetDescription(
                proxy, resolved, of: camera.name, request: call.id.bytes, order.labels), call)
            pictures.add(StoredPhoto(proxy, asset), 0, of: resolved)
          case .failed(let error): throw displaced.contains(call.id) ? .placeTaken : error
          }
          guard pictures.rest == 0 else { continue }
          // The answer tells that the controls are as they were.
          try await shots?.end()
          var result = pictures.result(of: camera, job.depth)
          if let movie { result.movie = await movie.result }
          return result
        }
        try await shots?.end()
      } catch {
        movie?.abandon()
        if let taker {
          // Its other pictures are not needed either.
          await call.cancel()
          await taker.abandon()
        }
        await shots?.abandon()
        throw pictures.count == 0 ? error : WireError(error, in: call.kind).after(pictures)
      }
      // The last step is always a file or `failed`, so only a cancelled task comes here.
      throw CancellationError()
    }
  }

  /// Records that every file of the request is made.
  private func made(_ job: CaptureJob) {
    for camera in job.cameras { camera.part(Photos.self).places.made(job.call.id) }
  }

  private func requireSomeRoom() throws {
    guard let room, room.isFull, let error = room.error else { return }
    throw CaptureError(error)
  }

  /// Asks the camera's pipeline for the photo.
  /// - Parameter still: The frame, if it is taken already.
  /// - Returns: The photo's steps: some for each picture and file, so the stream needs no bound.
  ///   Also what cancels it.
  private func steps(
    _ job: CaptureJob, _ still: StillFrame?, _ depth: DepthTaker?
  ) -> (AsyncStream<PhotoRequest.Step>, Interruption) {
    let pipeline = job.camera.pipeline
    let (steps, step) = AsyncStream<PhotoRequest.Step>.makeStream()
    let request = request(job, depth) { step.yield($0) }
    let ticket = request.ticket
    if let still {
      pipeline.loop.perform { pipeline.develop(still, for: request) }
      return (steps, Interruption())
    }
    waiting[job.call.id] = job.call
    pipeline.loop.perform { pipeline.capture(request) }
    return (
      steps, Interruption(onCancel: { await pipeline.loop.run { pipeline.photos.cancel(ticket) } })
    )
  }

  func request(
    _ job: CaptureJob, _ depth: DepthTaker?,
    _ onStep: @escaping @Sendable (PhotoRequest.Step) -> Void
  ) -> PhotoRequest {
    var request = request(
      job.order.timing, job.order.photos, of: job.camera, job.call,
      depth?.following(onStep) ?? onStep)
    request.facts.add(job.order.labels)
    request.start = max(depth?.start ?? 0, job.start)
    return request
  }

  /// - Parameter count: How many tickets it has, one after the other.
  func request(
    _ timing: PhotoTiming, _ order: PhotoOrder, of camera: Camera, _ call: Call,
    tickets count: Int = 1, _ onStep: @escaping @Sendable (PhotoRequest.Step) -> Void
  ) -> PhotoRequest {
    let ticket = lastTicket + 1
    lastTicket += UInt64(count)
    return PhotoRequest(
      ticket: ticket, timing: timing, asked: call.asked, deadline: call.deadline, order: order,
      facts: PhotoFacts(of: camera, call, epoch), onStep: onStep)
  }

  private func store(
    _ file: PhotoFile, _ resolved: ResolvedPhoto, of camera: Camera, _ job: CaptureJob
  ) async throws -> StoredPhoto {
    // At most a megabyte, which is digested here: the library may be busy with others' files.
    if job.order.isTransient {
      return StoredPhoto(file, sha256: file.withBytes { SHA256.hash(of: $0) })
    }
    let description = AssetDescription(
      file, resolved, of: camera.name, request: job.call.id.bytes, job.order.labels)
    return StoredPhoto(file, try await library.storePhoto(file, description))
  }
}

private final class Photos: CameraPart {
  var load = PhotoLoad()
  /// The photos under way.
  var places = PhotoPlaces()
  var disk = Readiness.Storage.hasRoom
}

extension WireError {
  /// The error of a request of which some files are in the library.
  fileprivate func after(_ pictures: StoredPictures) -> WireError {
    var error = self
    error.keptFiles = UInt32(pictures.count)
    error.message += "; \(pictures.count) of \(pictures.total) files are in the library"
    return error
  }
}

extension CaptureError {
  fileprivate static var placeTaken: CaptureError {
    CaptureError(
      .overloaded,
      "another client needed the place while the connection that asked was gone: ask again")
  }
}

extension WireError {
  fileprivate static func tooLarge(_ file: PhotoFile) -> WireError {
    WireError(
      .invalidArgument,
      "the photo has \(file.byteCount) bytes, too many to be sent at once: let the library keep it, or ask for a "
        + "smaller one",
      field: RequestField.Capture.inlineLimit
    )
  }
}
