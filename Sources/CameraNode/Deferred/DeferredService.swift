import CameraProtocol
import Capture
import EventLoop
import FoundationEssentials
import Imaging
import Logging
import MediaLibrary
import OperatingSystem
import SwiftProtobuf

/// Makes the files of photos that were taken before, one photo after the other, and tells monitors.
@ControlLoop final class DeferredService {
  /// How often a file is begun that cannot be made.
  private static let mostFailures = 3
  /// After so many starts of the node that ended while it was made, a photo waits, and longer each
  /// time: it may be the cause.
  private static let mostInterruptions = 3
  private static let longestPause = Duration.seconds(3600)

  private let maker: DeferredMaker
  private let events: EventsService
  private let library: MediaLibrary
  private let cameras: CameraDirectory
  private let pause: Duration
  private let log: Logger
  private var places = DeferredPlaces()
  /// One photo is stored at a time, because others' photos wait for the disk too, and theirs are
  /// small.
  private let stores = Gate()
  /// Oldest first.
  private var queue: [AssetID] = []
  /// The proxies that are not tried before a moment.
  private var resting: [AssetID: MonotonicTime] = [:]
  /// How often each could not be made.
  private var failures: [AssetID: Int] = [:]
  /// The proxies whose files could not be stored.
  private var awaitingDisk: Set<AssetID> = []
  private var isPressed = false
  private var isClosed = false
  private var timer: LoopTimer?
  private let news: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  /// - Parameter pause: How long a photo waits whose files cannot be stored.
  init(
    cameras: CameraDirectory, events: EventsService, library: MediaLibrary, pause: Duration,
    log: Logger
  ) {
    self.cameras = cameras
    self.events = events
    self.library = library
    self.pause = pause
    self.log = log
    maker = DeferredMaker(library)
    (news, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Photos whose files are still to be made, and the bytes that are kept for them.
  var count: Int { places.count }
  var byteCount: Int { places.byteCount }

  // MARK: Places

  /// Checks that there is room for a request's photos, and reserves it until ``end(_:)``.
  /// - Throws: `overloaded`.
  func begin(_ order: PhotoOrder, of camera: Camera, _ call: Call) throws(CaptureError) {
    let bytes = camera.sessionStatus.format?.layout.byteCount ?? 0
    try places.promise(
      call.id, order.pictures, byteCount: bytes * order.frameCount, for: call.holder)
  }

  func end(_ call: Call) { places.end(call.id) }

  /// Stores a proxy, and queues its photo, whose files are made later. The disk has room for these,
  /// too.
  /// - Throws: `overloaded`; the errors of the library.
  func store(
    _ proxy: PhotoFile, keeping photo: DeferredPhoto, _ description: AssetDescription, _ call: Call
  ) async throws -> Asset {
    let id = AssetID()
    try places.keep(
      id, byteCount: photo.bytes.count, growth: max(0, photo.fileByteCount - photo.bytes.count),
      of: call.id, for: call.holder)
    await stores.enter()
    defer { stores.leave() }
    do {
      let asset = try await library.storeProxy(
        proxy, keeping: photo.bytes, description, leaving: places.growth, as: id)
      queue.append(id)
      wake.yield()
      return asset
    } catch {
      places.free(id)
      throw error
    }
  }

  // MARK: News

  /// Takes what an earlier run of the node has left, or what is in a library that has taken the
  /// place of another one.
  func take(_ entries: [DeferredEntry]) {
    for entry in entries where !places.has(entry.id) {
      places.restore(entry.id, byteCount: entry.byteCount)
      queue.append(entry.id)
      let excess = entry.attempts - Self.mostInterruptions
      guard excess >= 0 else { continue }
      let rest = min(Self.longestPause, pause * (1 << min(excess, 20)))
      resting[entry.id] = .now + rest
      log.error(
        """
        \(entry.camera): the node has ended \(entry.attempts) times while it made the files of the photo \
        \(entry.id), which waits: delete it if it is the cause
        """)
    }
    wake.yield()
  }

  /// Goes on with the work that waits for the disk, if the library can store again.
  func take(_ room: LibraryRoom) {
    guard room.firstError == nil, !resting.isEmpty else { return }
    for id in awaitingDisk { resting[id] = nil }
    wake.yield()
  }

  /// Takes how hard the machine is pressed.
  func take(_ level: PressureLevel) {
    isPressed = level >= .serious
    wake.yield()
  }

  /// Drops the work for a proxy that a client has deleted.
  func forget(_ proxy: WireAsset) {
    guard let id = AssetID(bytes: Array(proxy.id)), places.has(id) else { return }
    queue.removeAll { $0 == id }
    forgetPlace(of: id)
    let error = WireError(
      .noSuchAsset, "the proxy was deleted before its files were made, so they are not made")
    publish(WireDeferredEvent(proxy.requestID, proxy.id, .failed(error)), ofCamera: proxy.camera)
  }

  private func forgetPlace(of id: AssetID) {
    places.free(id)
    (resting[id], failures[id]) = (nil, nil)
    awaitingDisk.remove(id)
  }

  func close() {
    isClosed = true
    timer?.cancel()
    wake.finish()
  }

  // MARK: Work

  /// Makes files until the service is closed.
  func run(by encoders: EncoderPool) async {
    for await _ in news {
      while !isClosed, !isPressed, let id = takeNext() {
        await work(on: id, by: encoders)
      }
    }
  }

  /// The next photo that need not wait.
  private func takeNext() -> AssetID? {
    let now = MonotonicTime.now
    if let index = queue.firstIndex(where: { resting[$0].map { $0 <= now } ?? true }) {
      return queue.remove(at: index)
    }
    timer?.cancel()
    timer = resting.values.min().map { [wake] moment in
      ControlLoop.schedule(at: moment) { wake.yield() }
    }
    return nil
  }

  private func work(on id: AssetID, by encoders: EncoderPool) async {
    do {
      guard let entry = try await library.deferredPhoto(id) else { return forgetPlace(of: id) }
      // It may not have been told in an earlier run.
      if let event = entry.event { return await tell(event, of: entry) }
      try await make(entry, by: encoders)
    } catch let error as MediaLibraryError where error.code == .noSuchAsset {
      // A client has deleted the proxy.
      forgetPlace(of: id)
    } catch {
      guard !isClosed else { return }
      if awaitingDisk.insert(id).inserted {
        log.error("the files of the photo \(id) wait: \(WireError(error).message)")
      }
      rest(id)
    }
  }

  private func make(_ entry: DeferredEntry, by encoders: EncoderPool) async throws {
    do {
      let picture = try await maker.make(entry, by: encoders)
      try await end(entry, .done, .finished(picture))
    } catch let error as DeferredMaker.ForeignPhoto {
      // It keeps its place and its bytes, and is looked at again after the next start.
      library.enter { try? $0.pauseDeferred(entry.id) }
      log.error("\(entry.camera): the photo \(entry.id) has no files yet: \(error.reason.message)")
    } catch let error as CaptureError {
      guard !isClosed else { return }
      // The system has nothing left for the encoder now.
      if error.code == .overloaded { return rest(entry.id) }
      let failures = (failures[entry.id] ?? 0) + 1
      guard error.code != .encodingFailed || failures >= Self.mostFailures else {
        self.failures[entry.id] = failures
        return rest(entry.id)
      }
      log.error(
        "\(entry.camera): not all files of the photo \(entry.id) can be made: \(error.message)")
      try await end(entry, .failed, .failed(WireError(error)))
    }
  }

  private func rest(_ id: AssetID) {
    queue.append(id)
    resting[id] = .now + pause
    library.enter { try? $0.pauseDeferred(id) }
  }

  private func end(
    _ entry: DeferredEntry, _ deferral: Deferral, _ body: WireDeferredEvent.OneOf_Body
  ) async throws {
    let event = WireDeferredEvent(Data(entry.requestID ?? []), Data(entry.id.bytes), body)
    // It is on the disk before it is told, and is told again after a kill.
    try await library.endDeferred(entry.id, deferral, event: event.bytes)
    await tell(event.bytes, of: entry)
  }

  private func tell(_ event: [UInt8], of entry: DeferredEntry) async {
    if let event = try? WireDeferredEvent(serializedBytes: event), event.body != nil {
      publish(event, ofCamera: entry.camera)
    }
    forgetPlace(of: entry.id)
    // What cannot be noted now is told again after the next start.
    try? await library.forgetDeferred(entry.id)
  }

  private func publish(_ event: WireDeferredEvent, ofCamera name: String) {
    guard cameras[name] != nil else { return }
    events.publish(.deferred(event), .deferred, ofCamera: name)
  }
}

extension WireDeferredEvent {
  fileprivate init(_ requestID: Data, _ proxy: Data, _ body: OneOf_Body) {
    self.init()
    (self.requestID, self.proxy, self.body) = (requestID, proxy, body)
  }
}
