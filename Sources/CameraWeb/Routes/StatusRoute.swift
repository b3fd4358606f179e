import CameraClient
import HTTPTypes
import Reports

/// How the nodes are.
enum StatusRoute {
  /// The JSON of `camctl status --json`, of all nodes.
  static func answer(_ exchange: Exchange, _ gateway: WebGateway) async throws -> Answer {
    try exchange.target.requireQuery(of: [])
    let nodes = await gateway.nodes.statuses().map { NamedStatus(name: $0.name, status: $0.status) }
    return .json(JSONText.data(of: Statuses(nodes: nodes)))
  }

  /// Whether all nodes answer. Everybody may ask, so it names none.
  static func readiness(_ gateway: WebGateway) async -> Answer {
    let statuses = await gateway.nodes.statuses()
    let isReady = statuses.allSatisfy { if case .success = $0.status { true } else { false } }
    return isReady
      ? Answer(type: "text/plain", "ok\n")
      : Answer(
        status: .serviceUnavailable, type: "text/plain", "a node does not answer: see /api/status\n"
      )
  }

  private struct Statuses: Encodable {
    var nodes: [NamedStatus]
  }
}
