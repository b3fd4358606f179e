import CameraProtocol
import Capture
import Digest
import EventLoop
import FoundationEssentials
import Imaging
import MediaLibrary
import OperatingSystem
import SwiftProtobuf

/// Takes photos: the camera's pipeline chooses the frame, the library stores the picture, and the
/// client and the monitors get each step.
// Sendable: the constants are safe to share; the variables belong to the control loop.
final class CaptureService: @unchecked Sendable {
  private let cameras: CameraDirectory
  let leases: LeaseService
  let idle: IdleService
  private let events: EventsService
  private let library: MediaLibrary
  private var lastTicket: UInt64 = 0
  /// The photos that can still lose their places to others.
  private var waiting: [RequestID: Call] = [:]
  /// What was seen last of the library's disk.
  private var room: LibraryRoom?
  /// The photos that have lost their places.
  private var displaced: Set<RequestID> = []

  init(
    cameras: CameraDirectory, leases: LeaseService, idle: IdleService, events: EventsService,
    library: MediaLibrary
  ) {
    self.cameras = cameras
    self.leases = leases
    self.idle = idle
    self.events = events
    self.library = library
  }

  func capture(_ body: WireCaptureRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    do {
      try camera.requirePictures()
    } catch let error as CaptureError
      where error.code == .unsupportedFormat && body.size == .maximum
      && camera.options.switchesForStills
    {
      // The photo is of another format.
    }
    let timing = PhotoTiming(body, asked: call.asked)
    var loser: RequestID?
    try update(camera) {
      loser = try $0.photoPlaces.take(
        call.id, for: call.holder, isLate: timing.isLate(since: call.asked)
      ) { waiting[$0]?.hasClient == false }
    }
    defer {
      idle.end(.request(call.id), of: camera)
      update(camera) { $0.photoPlaces.free(call.id) }
      waiting[call.id] = nil
      displaced.remove(call.id)
    }
    if let loser { await displace(loser) }
    do {
      let result = try await photo(body, timing, of: camera, call)
      call.finish(.capture(result))
      events.publish(captureOf: call.id, .completed(result), ofCamera: camera.name)
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
  private func update(_ camera: Camera, _ change: (Camera) throws -> Void) rethrows {
    let before = camera.readiness
    try change(camera)
    if camera.readiness != before { events.publishState(of: camera) }
  }

  // MARK: One photo

  /// Ends a photo whose place another one has got, unless its frame has been taken meanwhile.
  private func displace(_ photo: RequestID) async {
    displaced.insert(photo)
    _ = await waiting[photo]?.onCancel?()
  }

  private func photo(
    _ body: WireCaptureRequest, _ timing: PhotoTiming, of camera: Camera, _ call: Call
  ) async throws -> WireCaptureResult {
    // Nothing is started or made for a photo that certainly fails.
    if !body.transient { try requireSomeRoom() }
    try timing.check(deadline: call.deadline)
    // A camera that was idle at a past moment has no frame of it, so starting it is of no use.
    idle.begin(.request(call.id), of: camera, wakes: !timing.isPast(at: call.asked))
    let report = Report(call: call, camera: camera, isKept: body.transient, events: events)
    let inlineLimit = min(Int(body.inlineLimit), WireLimits.inlineByteCount)
    let still =
      body.size == .maximum ? try await still(timing, of: camera, call) { report(.willBegin) } : nil
    for await step in steps(timing, body.quality, still, camera, call) {
      switch step {
      case .willBegin: report(.willBegin)
      case .willCapture: report(.willCapture)
      case .captured(let resolved):
        call.isDone = true
        waiting[call.id] = nil
        report(.didCapture, resolved)
      case .processed(let resolved, let picture):
        camera.photoPlaces.made(call.id)
        let isInline = picture.byteCount <= inlineLimit
        guard isInline || !body.transient else { throw CaptureError.tooLarge(picture) }
        report(.didProcess, resolved, picture, isInline: isInline)
        let stored = try await store(picture, resolved, isTransient: body.transient, camera, call)
        return WireCaptureResult(resolved, of: camera, stored, picture.byteCount)
      case .failed(let error): throw displaced.contains(call.id) ? .placeTaken : error
      }
    }
    // The last step is always `processed` or `failed`, so only a cancelled task comes here.
    throw CancellationError()
  }

  private func requireSomeRoom() throws {
    guard let room, room.isFull, let error = room.error else { return }
    throw CaptureError(error)
  }

  /// Asks the camera's pipeline for the photo.
  /// - Parameter still: the frame, if it is taken already.
  /// - Returns: the photo's steps. There are at most five, so the stream needs no bound.
  private func steps(
    _ timing: PhotoTiming, _ quality: UInt32, _ still: StillFrame?, _ camera: Camera, _ call: Call
  ) -> AsyncStream<PhotoRequest.Step> {
    lastTicket += 1
    let (ticket, pipeline) = (lastTicket, camera.pipeline)
    let (steps, continuation) = AsyncStream<PhotoRequest.Step>.makeStream()
    let request = PhotoRequest(
      ticket: ticket,
      timing: timing,
      asked: call.asked,
      deadline: call.deadline,
      quality: quality == 0 ? 90 : Int(quality)
    ) { step in continuation.yield(step) }
    if let still {
      pipeline.loop.perform { pipeline.develop(still, for: request) }
      return steps
    }
    call.onCancel = { await pipeline.loop.run { pipeline.photos.cancel(ticket) } }
    waiting[call.id] = call
    pipeline.loop.perform { pipeline.capture(request) }
    return steps
  }

  private func store(
    _ picture: Frame, _ resolved: ResolvedPhoto, isTransient: Bool, _ camera: Camera, _ call: Call
  ) async throws -> StoredPhoto {
    if isTransient { return StoredPhoto(sha256: await library.digest(of: picture)) }
    let description = AssetDescription(
      camera: camera.name,
      mediaType: .jpeg,
      width: resolved.size.width,
      height: resolved.size.height,
      createdAt: resolved.metadata.timestamp.nanoseconds + resolved.metadata.wallClock.offset,
      requestID: call.id.bytes
    )
    return StoredPhoto(try await library.storePhoto(picture, description))
  }
}

/// Reports the steps of one photo to the client and the monitors.
private struct Report {
  let call: Call
  let camera: Camera
  /// Whether a retry gets the steps again. A transient photo needs that, because nothing else keeps
  /// the picture.
  let isKept: Bool
  let events: EventsService

  func callAsFunction(
    _ step: WireCaptureProgress.Step, _ resolved: ResolvedPhoto? = nil, _ picture: Frame? = nil,
    isInline: Bool = false
  ) {
    let progress = WireCaptureProgress.with {
      $0.step = step
      if let resolved { $0.resolved = WireResolvedCapture(resolved, of: camera) }
      if let picture { $0.byteCount = UInt64(picture.byteCount) }
    }
    // Send a copy, so that a client that does not read it does not hold the camera's memory.
    let attachment = isInline ? picture?.bytes : nil
    call.progress(.captureProgress(progress), attachment: attachment, isKept: isKept)
    events.publish(captureOf: call.id, .progress(progress), ofCamera: camera.name)
  }
}

/// A finished photo: an asset of the library, or only its digest if it is transient.
private struct StoredPhoto {
  var asset: Asset?
  var sha256: SHA256Digest

  init(sha256: SHA256Digest) {
    self.sha256 = sha256
  }

  init(_ asset: Asset) {
    self.asset = asset
    sha256 = asset.sha256
  }
}

extension WireCaptureResult {
  fileprivate init(
    _ resolved: ResolvedPhoto, of camera: Camera, _ photo: StoredPhoto, _ byteCount: Int
  ) {
    self.init()
    self.resolved = WireResolvedCapture(resolved, of: camera)
    if let asset = photo.asset { self.asset = WireAsset(asset) }
    sha256 = Data(photo.sha256.bytes)
    self.byteCount = UInt64(byteCount)
  }
}

extension CaptureError {
  fileprivate static var placeTaken: CaptureError {
    CaptureError(
      .overloaded,
      "another client needed the place while the connection that asked was gone: ask again")
  }

  fileprivate static func tooLarge(_ picture: Frame) -> CaptureError {
    CaptureError(
      .invalidArgument,
      "the photo has \(picture.byteCount) bytes and may not be kept nor sent: raise inline_limit",
      field: "capture.inline_limit"
    )
  }
}
