import CameraProtocol
import Capture
import FoundationEssentials
import Logging
import MediaLibrary
import SwiftProtobuf

/// Lists the library's assets, deletes, protects and tags them, and looks after the library.
@ControlLoop final class LibraryService {
  /// How many assets of a list are made at a time. Others use the library in between.
  static let sliceLength = 50

  let library: MediaLibrary
  private let cameras: CameraDirectory
  private let recoveries: RecoveryService
  let deferrals: DeferredService
  let events: EventsService
  let router: RequestRouter
  let log: Logger
  var quota = LibraryQuota()
  /// What each camera's assets take.
  var usage: [String: LibraryTotals] = [:]
  /// Why the quota is not kept.
  var quotaError: MediaLibraryError?
  private let lists = RequestQueue(ofQuestions: true)
  let changes = RequestQueue(ofQuestions: false)
  let upkeep = RequestQueue(ofQuestions: false)
  /// Reads movies, which takes long. Set before requests are served.
  var recoverer: MovieRecovery?
  /// The files that the index does not know.
  var unlistedFiles = 0
  /// The name of an index that could not be read.
  var damagedIndex: String?

  init(
    cameras: CameraDirectory, recoveries: RecoveryService, deferrals: DeferredService,
    events: EventsService, router: RequestRouter, library: MediaLibrary, log: Logger
  ) {
    self.cameras = cameras
    self.recoveries = recoveries
    self.deferrals = deferrals
    (self.events, self.router) = (events, router)
    self.library = library
    self.log = log
  }

  /// Lists assets. A request for a recording that was cut off is answered when its movie is
  /// recovered.
  func list(_ body: WireAssetsRequest, _ call: Call) async throws {
    if let recording = RequestID(bytes: body.requestID) {
      try await recoveries.wait(for: recording, call)
    }
    guard body.camera.isEmpty || call.access.isFor(camera: body.camera) else {
      throw WireError.forbidden(camera: body.camera, call.access)
    }
    let limit = body.limit == 0 ? 100 : Int(body.limit)
    try await lists.run(call, cost: Self.cost(of: limit)) {
      // The list can be cancelled until the library has time for it.
      try await call.work(on: library) { _ in }
      let reply = try await assets(
        AssetQuery(body, for: call.access), after: body.page, limit: limit, call)
      guard let reply else { throw CaptureError.clientIsGone }
      if reply.assets.isEmpty { try await requireCamera(body.camera, call) }
      call.finish(.assets(reply))
    }
  }

  /// What a request about so many assets costs beside others.
  static func cost(of assets: Int) -> Double { 32 + Double(assets) }

  /// - Returns: Nil when the client is gone.
  private func assets(
    _ query: AssetQuery, after page: Data, limit: Int, _ call: Call
  ) async throws(MediaLibraryError) -> WireAssetsReply? {
    var reply = WireAssetsReply()
    var cursor = AssetCursor(bytes: Array(page))
    var bytesToDigest = MediaLibrary.digestedByteCount
    var byteCount = 0
    while call.hasClient {
      let slice = try await library.assets(
        query, after: cursor, limit: min(Self.sliceLength, limit - reply.assets.count),
        digesting: bytesToDigest)
      for asset in slice.changes { log.warning("\(asset.changeWords)") }
      reply.assets += slice.assets.map(WireAsset.init)
      byteCount += slice.assets.reduce(0) { $0 + 512 + $1.description.labels.byteCount }
      cursor = slice.next
      bytesToDigest -= slice.digestedByteCount
      guard cursor != nil, reply.assets.count < limit, byteCount < WireLimits.assetsByteCount
      else {
        reply.next = Data(cursor?.bytes ?? [])
        return reply
      }
    }
    return nil
  }

  /// - Throws: `noSuchCamera` if neither the node nor the library knows the camera. The library may
  ///   have assets of a camera that the node no longer has.
  func requireCamera(_ name: String, _ call: Call) async throws {
    guard !name.isEmpty, cameras[name] == nil, try await !library.hasAssets(ofCamera: name)
    else { return }
    _ = try cameras.named(name, for: call.access)
  }
}

extension Asset {
  /// What a look at its file has shown, and what to do.
  var changeWords: String {
    switch condition {
    case .intact: "\(relativePath) is what was stored again"
    case .missing: "\(relativePath) is gone: put it back, or delete the asset \(id)"
    case .changed:
      "\(relativePath) is no longer what was stored: put the original back, or delete the asset \(id)"
    }
  }
}
