import CameraProtocol
import Capture
import FoundationEssentials
import MediaLibrary
import SwiftProtobuf

/// Requests that change assets. Each asset succeeds or fails by itself.
extension LibraryService {
  func delete(_ body: WireDeleteRequest, _ call: Call) async throws {
    try await changes.run(call, cost: Self.cost(of: body.assets.count)) {
      let results = try await change(body.assets, call) { (library, id) throws(MediaLibraryError) in
        (try library.remove(id), true)
      }
      for case .asset(let asset)? in results.map(\.outcome) where asset.deferral == .pending {
        deferrals.forget(asset)
      }
      call.finish(.delete(.with { $0.results = results }), isDone: call.isDone)
    }
  }

  func protect(_ body: WireProtectRequest, _ call: Call) async throws {
    let isProtected = body.protected
    try await changes.run(call, cost: Self.cost(of: body.assets.count)) {
      let results = try await change(body.assets, call) { (library, id) throws(MediaLibraryError) in
        try library.protect(id, isProtected)
      }
      call.finish(.protect(.with { $0.results = results }), isDone: call.isDone)
    }
  }

  func tag(_ body: WireTagRequest, _ call: Call) async throws {
    let wanted = LabelChange(body)
    try await changes.run(call, cost: Self.cost(of: body.assets.count)) {
      let results = try await change(body.assets, call) { (library, id) throws(MediaLibraryError) in
        try library.label(id, wanted)
      }
      call.finish(.tag(.with { $0.results = results }), isDone: call.isDone)
    }
  }

  /// Changes one asset after the other, so that photos can be stored in between. When the node
  /// stops, the remaining assets stay as they are.
  ///
  /// A request that changes nothing is not done: it costs a client little, so that it could have
  /// the node forget what others have done.
  /// - Parameter change: Returns the asset, and whether it has changed.
  private func change(
    _ assets: [Data], _ call: Call,
    _ change: @Sendable (isolated MediaLibrary, AssetID) throws(MediaLibraryError) -> (Asset, Bool)
  ) async throws -> [WireAssetResult] {
    // Validation has checked the length.
    let ids = assets.compactMap { AssetID(bytes: Array($0)) }
    // The request can be cancelled until the library has time for it. All ids are looked up at
    // once, so that ids of no assets, which cost a client nothing, cost the library little.
    let cameras = call.access.cameras
    let known = try await call.work(on: library) { library in
      try library.known(ids, ofCameras: cameras)
    }
    var results: [WireAssetResult] = []
    for id in ids {
      var result = WireAssetResult()
      result.id = Data(id.bytes)
      do throws(MediaLibraryError) {
        guard known.contains(id) else { throw .noSuchAsset(id) }
        if call.nodeStops {
          result.error = WireError(CaptureError.nodeStops)
        } else {
          let (asset, hasChanged) = try await change(library, id)
          result.asset = WireAsset(asset)
          if hasChanged { call.isDone = true }
        }
      } catch {
        // A disk that fails may have done some of it.
        if ![.noSuchAsset, .assetProtected, .invalidArgument].contains(error.code) {
          call.isDone = true
        }
        result.error = WireError(error)
      }
      results.append(result)
    }
    return results
  }
}
