import CameraProtocol
import Capture
import Digest
import EventLoop
import Imaging
import MediaLibrary
import OperatingSystem

/// Takes photos: the camera's pipeline chooses the frame, the library stores the picture, and the
/// client and the monitors get each step.
// Sendable: the constants are safe to share; the variables belong to the control loop.
final class CaptureService: CameraReporter, @unchecked Sendable {
  let cameras: CameraDirectory
  let leases: LeaseService
  let idle: IdleService
  private let events: EventsService
  private let library: MediaLibrary
  let brackets: BracketJournal
  private let deferrals: DeferredService
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
    library: MediaLibrary, brackets: BracketJournal, deferrals: DeferredService, epoch: Epoch
  ) {
    self.cameras = cameras
    self.leases = leases
    self.idle = idle
    self.events = events
    self.library = library
    self.brackets = brackets
    self.deferrals = deferrals
    self.epoch = epoch
  }

  func capture(_ body: WireCaptureRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    try camera.requireStream()
    let depth = try depthPair(body, of: camera, call)
    let timing = PhotoTiming(body, asked: call.asked)
    let used = camera.with(depth)
    defer {
      for camera in used {
        idle.end(.request(call.id), of: camera)
        update(camera) { $0.places.free(call.id) }
      }
      waiting[call.id] = nil
      displaced.remove(call.id)
    }
    for camera in used {
      var loser: RequestID?
      try update(camera) {
        loser = try $0.places.take(
          call.id, for: call.holder, isLate: timing.isLate(since: call.asked)
        ) { waiting[$0]?.hasClient == false }
      }
      if let loser { await displace(loser) }
    }
    do {
      let result = try await photo(body, timing, of: camera, depth, call)
      call.finish(.capture(result))
      events.publish(captureOf: call.id, .completed(result.withoutDepth), ofCamera: camera.name)
    } catch {
      call.fail(error)
      events.publish(captureOf: call.id, .failed(WireError(error)), ofCamera: camera.name)
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

  private func photo(
    _ body: WireCaptureRequest, _ timing: PhotoTiming, of camera: Camera, _ depth: DepthPair?,
    _ call: Call
  ) async throws -> WireCaptureResult {
    // Nothing is started or made for a photo that certainly fails.
    if !body.transient { try requireSomeRoom() }
    try timing.check(deadline: call.deadline)
    var order = PhotoOrder(body)
    if order.isDeferred { try deferrals.begin(order, of: camera, call) }
    defer { deferrals.end(call) }
    // A camera that was idle at a past moment has no frame of it, so starting it is of no use.
    for camera in camera.with(depth) {
      idle.begin(.request(call.id), of: camera, wakes: !timing.isPast(at: call.asked))
    }
    let (hasFlash, start) = try await needsFlash(body.flash, timing, of: camera, call)
    order.hasFlash = hasFlash
    let report = PhotoReport(
      call: call, camera: camera, depth: depth?.camera, order: order, isKept: body.transient,
      events: events)
    let taker: DepthTaker? =
      if let depth { try await self.taker(depth, timing, order, call) } else { nil }
    let still =
      body.size == .maximum
      ? try await still(timing, order, of: camera, call) { report.willBegin($0) } : nil
    let shots = try await shots(body, timing, order, taker, after: start, of: camera, call)
    var pictures = StoredPictures(order, depth?.order)
    let (steps, interruption) =
      shots.map { ($0.steps, Interruption()) }
      ?? steps(timing, order, still, taker, after: start, camera, call)
    return try await call.interruptible(by: interruption) {
      do {
        for await step in steps {
          switch step {
          case .willBegin(let plan): report.willBegin(plan)
          case .willCapture(let picture): report.willCapture(picture)
          case .captured(let resolved):
            call.isDone = true
            waiting[call.id] = nil
            report.didCapture(resolved)
          case .processed(let resolved, let file, let index):
            if pictures.rest == 1 { made(call, camera.with(depth)) }
            let source = file.part == .picture ? camera : depth?.camera ?? camera
            let isInline = body.isInline(file)
            guard isInline || !body.transient else { throw CaptureError.tooLarge(file) }
            report.didProcess(resolved, file, index, of: source, isInline: isInline)
            let stored = try await store(file, resolved, isTransient: body.transient, source, call)
            pictures.add(stored, index, of: resolved)
          case .deferred(let resolved, let proxy, let photo):
            if pictures.rest == 1 { made(call, camera.with(depth)) }
            report.didProcess(resolved, proxy, 0, of: camera, isInline: body.isInline(proxy))
            let asset = try await deferrals.store(
              proxy, keeping: photo,
              AssetDescription(proxy, resolved, of: camera.name, request: call.id.bytes), call)
            pictures.add(StoredPhoto(proxy, asset), 0, of: resolved)
          case .failed(let error): throw displaced.contains(call.id) ? .placeTaken : error
          }
          guard pictures.rest == 0 else { continue }
          // The answer tells that the controls are as they were.
          try await shots?.end()
          return pictures.result(of: camera, depth?.camera)
        }
        try await shots?.end()
      } catch {
        if let taker {
          // Its other pictures are not needed either.
          await call.cancel()
          await taker.abandon()
        }
        await shots?.abandon()
        throw pictures.count == 0 ? error : WireError(error).after(pictures)
      }
      // The last step is always a file or `failed`, so only a cancelled task comes here.
      throw CancellationError()
    }
  }

  /// Records that every file of the request is made.
  private func made(_ call: Call, _ cameras: [Camera]) {
    for camera in cameras { camera.part(Photos.self).places.made(call.id) }
  }

  private func requireSomeRoom() throws {
    guard let room, room.isFull, let error = room.error else { return }
    throw CaptureError(error)
  }

  /// Asks the camera's pipeline for the photo.
  /// - Parameters:
  ///   - still: the frame, if it is taken already.
  ///   - start: how long an idle camera took to start, nanoseconds: no earlier frame is taken.
  /// - Returns: the photo's steps: some for each picture and file, so the stream needs no bound.
  ///   Also what cancels it.
  private func steps(
    _ timing: PhotoTiming, _ order: PhotoOrder, _ still: StillFrame?, _ depth: DepthTaker?,
    after start: Int64, _ camera: Camera, _ call: Call
  ) -> (AsyncStream<PhotoRequest.Step>, Interruption) {
    let pipeline = camera.pipeline
    let (steps, continuation) = AsyncStream<PhotoRequest.Step>.makeStream()
    let request = request(timing, order, camera, call, with: depth, after: start) { step in
      continuation.yield(step)
    }
    let ticket = request.ticket
    if let still {
      pipeline.loop.perform { pipeline.develop(still, for: request) }
      return (steps, Interruption())
    }
    waiting[call.id] = call
    pipeline.loop.perform { pipeline.capture(request) }
    return (
      steps, Interruption(onCancel: { await pipeline.loop.run { pipeline.photos.cancel(ticket) } })
    )
  }

  /// - Parameter count: how many tickets it has, one after the other.
  func request(
    _ timing: PhotoTiming, _ order: PhotoOrder, _ camera: Camera, _ call: Call,
    with depth: DepthTaker? = nil, after start: Int64 = 0, tickets count: Int = 1,
    _ onStep: @escaping @Sendable (PhotoRequest.Step) -> Void
  ) -> PhotoRequest {
    let ticket = lastTicket + 1
    lastTicket += UInt64(count)
    var request = PhotoRequest(
      ticket: ticket,
      timing: timing,
      asked: call.asked,
      deadline: call.deadline,
      order: order,
      facts: PhotoFacts(of: camera, call, epoch),
      onStep: depth?.following(onStep) ?? onStep)
    request.start = max(depth?.start ?? 0, start)
    return request
  }

  private func store(
    _ file: PhotoFile, _ resolved: ResolvedPhoto, isTransient: Bool, _ camera: Camera, _ call: Call
  ) async throws -> StoredPhoto {
    // At most a megabyte, which is digested here: the library may be busy with others' files.
    if isTransient { return StoredPhoto(file, sha256: file.withBytes { SHA256.hash(of: $0) }) }
    let description = AssetDescription(file, resolved, of: camera.name, request: call.id.bytes)
    return StoredPhoto(file, try await library.storePhoto(file, description))
  }
}

private final class Photos: CameraPart {
  var load = PhotoLoad()
  /// The photos under way.
  var places = PhotoPlaces()
  var disk = Readiness.Storage.hasRoom
}

extension Camera {
  /// The camera, and the depth camera of a request.
  fileprivate func with(_ depth: DepthPair?) -> [Camera] {
    [self] + [depth?.camera].compactMap(\.self)
  }
}

extension WireCaptureRequest {
  /// Whether a file comes with the steps of the request.
  fileprivate func isInline(_ file: PhotoFile) -> Bool {
    file.byteCount <= min(Int(inlineLimit), WireLimits.inlineByteCount)
  }
}

extension WireError {
  /// The error of a request of which some files are in the library.
  fileprivate func after(_ pictures: StoredPictures) -> WireError {
    var error = self
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

  fileprivate static func tooLarge(_ file: PhotoFile) -> CaptureError {
    CaptureError(
      .invalidArgument,
      "the photo has \(file.byteCount) bytes, too many to be sent at once: let the library keep it, or ask for a "
        + "smaller one",
      field: "capture.inline_limit"
    )
  }
}
