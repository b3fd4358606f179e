import CameraClient
import HTTPTypes
import Reports
import Words

/// Takes a photo into the node's library.
enum CaptureRoute {
  private struct Order: RequestDocument {
    enum CodingKeys: CodingKey, CaseIterable {
      case when, tolerance, formats, quality, size, name, tags
    }

    var when: String?
    var tolerance: String?
    var formats: [PhotoFormat]?
    var quality: Int?
    var size: String?
    var name: String?
    var tags: [String]?
  }

  private struct Taken: Encodable {
    var requestID: Identifier
    /// Nil where the node's answer was lost and the photo was found in its library.
    var resolved: ResolvedCapture?
    var assets: [Asset]
  }

  static func answer(
    _ exchange: Exchange, _ path: ArraySlice<String>, _ gateway: WebGateway
  ) async throws -> Answer {
    let (time, settings) = try order(exchange)
    let (node, camera) = try gateway.nodes.camera(path)
    let photo = try await node.ask(camera) { (camera) throws(CameraBusError) in
      try await camera.capture(time, settings)
    }
    let taken = Taken(
      requestID: photo.requestID, resolved: photo.resolved,
      assets: photo.files.compactMap(\.asset))
    return .json(JSONText.data(of: taken), status: .created)
  }

  private static func order(
    _ exchange: Exchange
  ) throws(HTTPFailure) -> (CaptureTime, PhotoSettings) {
    try exchange.target.requireQuery(of: [])
    let order = try exchange.document(Order.self)
    var settings = PhotoSettings((order.formats ?? []).map { PhotoOutput($0) })
    settings.quality = order.quality
    settings.name = order.name ?? ""
    settings.tags = order.tags ?? []
    settings.tolerance = try order.tolerance.map(SnapshotRoute.tolerance)
    settings.dimensions = try order.size.map(SnapshotRoute.size)
    return (try order.when.map(SnapshotRoute.time) ?? .now, settings)
  }
}
