import CameraProtocol
import FoundationEssentials
import MediaLibrary
import SwiftProtobuf

/// Requests that change assets. Each asset succeeds or fails by itself.
extension LibraryService {
  func delete(_ body: WireDeleteRequest, _ call: Call) async throws {
    let results = try await change(body.assets, call) { (library, id) throws(MediaLibraryError) in
      try library.remove(id)
    }
    call.finish(.delete(.with { $0.results = results }))
  }

  func protect(_ body: WireProtectRequest, _ call: Call) async throws {
    let isProtected = body.protected
    let results = try await change(body.assets, call) { (library, id) throws(MediaLibraryError) in
      try library.protect(id, isProtected)
    }
    call.finish(.protect(.with { $0.results = results }))
  }

  /// Changes one asset after the other, so that photos can be stored in between.
  private func change(
    _ assets: [Data], _ call: Call,
    _ change: @Sendable (isolated MediaLibrary, AssetID) throws(MediaLibraryError) -> Asset
  ) async throws -> [WireAssetResult] {
    // The request can be cancelled until the library has time for it.
    try await call.work(on: library) { _ in }
    call.isDone = true
    var results: [WireAssetResult] = []
    for id in assets {
      var result = WireAssetResult()
      result.id = id
      do throws(MediaLibraryError) {
        // Validation has checked the length.
        guard let id = AssetID(bytes: Array(id)) else { continue }
        result.asset = WireAsset(try await change(library, id))
      } catch {
        result.error = WireError(error)
      }
      results.append(result)
    }
    return results
  }
}
