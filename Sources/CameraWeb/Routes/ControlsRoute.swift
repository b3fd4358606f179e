import CameraClient
import HTTPTypes
import Reports

/// The controls of a camera.
enum ControlsRoute {
  private struct Order: RequestDocument {
    enum CodingKeys: CodingKey, CaseIterable {
      case settings
    }

    struct Setting: Decodable {
      var id: String
      var value: ControlValue
    }

    /// Set in this order, all or none.
    var settings: [Setting]
  }

  private struct Controls: Encodable {
    var controls: [Control]
  }

  static func answer(
    _ exchange: Exchange, _ path: ArraySlice<String>, _ gateway: WebGateway
  ) async throws -> Answer {
    try exchange.target.requireQuery(of: [])
    let (node, camera) = try gateway.nodes.camera(path)
    guard exchange.head.method == .post else {
      let controls = try await node.ask(camera) { (camera) throws(CameraBusError) in
        try await camera.controls()
      }
      return .json(JSONText.data(of: Controls(controls: controls)))
    }
    let settings = try exchange.document(Order.self).settings
    guard !settings.isEmpty else {
      throw HTTPFailure.invalid(
        "settings", #"write what to set: [{"id": "brightness", "value": 120}]"#)
    }
    let applied = try await node.ask(camera) { (camera) throws(CameraBusError) in
      try await camera.set(settings.map { ($0.id, $0.value) })
    }
    return .json(JSONText.data(of: applied))
  }
}
