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
      let controls = try await camera.controls(settings.map(\.id))
      let values = zip(settings, controls).map { setting, control in
        (id: setting.id, value: fitting(setting.value, control))
      }
      return try await camera.set(values)
    }
    return .json(JSONText.data(of: applied))
  }

  /// JSON writes a whole number of any kind alike, and an item of a menu by its name.
  private static func fitting(_ value: ControlValue, _ control: Control) -> ControlValue {
    switch (control.kind, value) {
    case (.number, .integer(let number)): .number(Double(number))
    case (.menu, .string(let name)), (.integerMenu, .string(let name)):
      control.menu.first { $0.name == name }.map { .integer($0.index) } ?? value
    default: value
    }
  }
}
