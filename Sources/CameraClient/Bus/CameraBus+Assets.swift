import CameraProtocol
import FoundationEssentials
import SwiftProtobuf

extension CameraBus {
  /// The library's photos and movies, newest first.
  ///
  /// - Parameters:
  ///   - camera: Lists the assets of this camera only.
  ///   - requestID: Lists what was made for this request only, also where its own answer was lost.
  ///   - limit: The most to list, 1 to 1000.
  public func assets(
    ofCamera camera: String? = nil,
    madeFor requestID: Identifier? = nil,
    limit: Int = 100
  ) async throws(CameraBusError) -> [Asset] {
    try await assets(
      .with {
        $0.camera = camera ?? ""
        $0.requestID = Data(requestID?.bytes ?? [])
        $0.limit = UInt32(clamping: limit)
      }
    )
  }

  /// The photo or movie of this id; nil when the library does not have it.
  public func asset(_ id: Identifier) async throws(CameraBusError) -> Asset? {
    try await assets(.with { $0.id = Data(id.bytes) }).first
  }

  private func assets(_ body: WireAssetsRequest) async throws(CameraBusError) -> [Asset] {
    guard case .assets(let reply) = try await request(.assets(body), .reading) else {
      throw .unexpectedReply
    }
    return reply.assets.compactMap(Asset.init)
  }
}
