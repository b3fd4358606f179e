package import CameraClient
import FoundationEssentials
import Keys

/// The nodes that a program uses, as its options name them: one by one, by a rig's file, or all
/// that the user knows.
package struct NodeSelection {
  private let nodes: [String]
  private let rig: String?
  private let all: Bool

  /// - Parameters:
  ///   - nodes: Endpoints, or names of nodes that the user knows. Without any, a rig and all nodes,
  ///     the node is the one that CAMERABUS_NODE names, or the one at the standard endpoint.
  ///   - rig: The path of a rig's file.
  ///   - all: Whether all nodes are meant that the user knows.
  package init(nodes: [String], rig: String?, all: Bool) {
    (self.nodes, self.rig, self.all) = (nodes, rig, all)
  }

  /// How to reach the nodes, each with all credentials that this user has for it.
  /// - Throws: `invalidArgument` for an unknown node, or a rig that cannot be read.
  package func connections() throws(CameraBusError) -> [RigConnection] {
    try described().nodes.map { (node) throws(CameraBusError) in
      let connection = try RigConnection(node)
      guard node.key == nil, node.node.contains(":") else { return connection }
      let choice = try NodeChoice(known: node.node)
      return RigConnection(
        name: connection.name, control: choice.control, credentials: choice.credentials,
        cameras: connection.cameras)
    }
  }

  private func described() throws(CameraBusError) -> RigDescription {
    if let rig { return try RigDescription(file: rig) }
    guard all else {
      let standard =
        ProcessInfo.processInfo.environment["CAMERABUS_NODE"] ?? CameraBus.defaultControl
      return try RigDescription(nodes: nodes.isEmpty ? [standard] : nodes)
    }
    let known: [KnownNode]
    do throws(KeyError) {
      known = try KnownNodes().all()
    } catch {
      throw CameraBusError(.invalidArgument, error.description, cause: error)
    }
    guard !known.isEmpty else {
      throw CameraBusError(
        .invalidArgument,
        "no node is known here: camctl nodes add reads an invitation, and --node ENDPOINT needs none"
      )
    }
    return try RigDescription(nodes: known.map(\.name))
  }
}
