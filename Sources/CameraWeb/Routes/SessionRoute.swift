import CameraClient
import Reports

/// Starts and stops the sessions of cameras, and lends cameras to other programs.
enum SessionRoute {
  enum Action: String, CaseIterable {
    case start, stop, suspend, resume
  }

  private struct Order: RequestDocument {
    enum CodingKeys: CodingKey, CaseIterable {
      case reason
    }

    /// Of a suspension, for those who wait for the camera.
    var reason: String?
  }

  static func answer(
    _ action: Action, _ exchange: Exchange, _ path: ArraySlice<String>, _ gateway: WebGateway
  ) async throws -> Answer {
    try exchange.target.requireQuery(of: [])
    let reason = try exchange.document(Order.self).reason
    if reason != nil, action != .suspend {
      throw HTTPFailure.invalid("reason", "only a suspension has a reason: leave it out")
    }
    let (node, camera) = try gateway.nodes.camera(path)
    let status = try await node.ask(camera) { (camera) throws(CameraBusError) in
      switch action {
      case .start: try await camera.startSession()
      case .stop: try await camera.stopSession()
      case .suspend: try await camera.suspendSession(reason: reason ?? "")
      case .resume: try await camera.resumeSession()
      }
    }
    return .json(JSONText.data(of: status))
  }
}
