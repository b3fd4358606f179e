import CameraClient
import CameraRig
import Reports

/// How the nodes of a monitor are, as their events tell it.
struct NodeBoard {
  private let names: [String]
  /// The only camera that is shown; nil for all.
  private let camera: String?
  private var entries: [String: NodeTables.Entry] = [:]

  /// - Parameter names: Those of the nodes, in the order in which they are shown.
  init(_ names: [String], camera: String? = nil) {
    self.names = names
    self.camera = camera
  }

  /// The nodes that are known so far.
  var shown: [NodeTables.Entry] { names.compactMap { entries[$0] } }

  /// Takes an event.
  /// - Returns: How its node is now; nil where the event changes nothing of what is shown.
  mutating func take(_ event: MonitorEvent) -> NodeTables.Entry? {
    let status: Result<NodeStatus, CameraBusError>? =
      switch event.body {
      case .node(let own): take(own, of: event.node)
      case .awaited(let reason): .failure(CameraBusError(reason.code, reason.message))
      default: nil
      }
    guard let status else { return nil }
    let entry = NodeTables.Entry(name: event.node, status: status)
    entries[event.node] = entry
    return entry
  }

  private func take(_ event: NodeEvent, of node: String) -> Result<NodeStatus, CameraBusError>? {
    switch event {
    case .snapshot(var status):
      if let camera { status.cameras.removeAll { $0.name != camera } }
      return .success(status)
    case .event(let own):
      guard case .success(var status)? = entries[node]?.status,
        camera.map({ $0 == own.camera || own.camera == "_node" }) ?? true,
        status.take(own)
      else { return nil }
      return .success(status)
    case .disconnected(let reason):
      return .failure(
        reason.map { CameraBusError($0.code, $0.message) }
          ?? CameraBusError(.unreachable, "nothing is heard of the node \(node)"))
    case .nodeRestarted:
      return .failure(CameraBusError(.unreachable, "the node \(node) has restarted"))
    default: return nil
    }
  }
}
