import ArgumentParser
import CameraClient
import CameraRig
import Keys

/// One node or many, and what ``RequestOptions`` has.
struct NodesOptions: NodeOptions {
  @Option(
    name: .customLong("node"),
    help: ArgumentHelp(
      "The node, by its name in `camctl nodes list` or by its control endpoint; repeatable; default: CAMERABUS_NODE, or tcp://127.0.0.1:5570.",
      valueName: "NODE"))
  var nodes: [String] = []

  @Option(
    help: ArgumentHelp("All nodes of a rig, which a file in YAML describes.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var rig: String?

  @Flag(help: "All nodes that `camctl nodes list` shows.") var all = false

  @OptionGroup var request: RequestOptions

  var node: String? { nodes.first }

  /// Whether one node is meant, so that nothing needs its name.
  var isOne: Bool { nodes.count < 2 && rig == nil && !all }

  func validate() throws {
    let ways = [
      nodes.isEmpty ? nil : "--node", rig.map { _ in "--rig" }, all ? "--all" : nil,
    ].compactMap(\.self)
    if ways.count > 1 {
      throw ValidationError(
        "\(ways.joined(separator: " and ")) name nodes in two ways: leave one out")
    }
  }

  /// How to reach the nodes, each with all credentials that this user has for it.
  /// - Throws: Wrong usage for an unknown node, or a rig that cannot be read.
  func connections() throws -> [RigConnection] {
    do throws(CameraBusError) {
      return try described().nodes.map { (node) throws(CameraBusError) in
        let connection = try RigConnection(node)
        guard node.key == nil, node.node.contains(":") else { return connection }
        let choice = try NodeChoice(known: node.node)
        return RigConnection(
          name: connection.name, control: choice.control, credentials: choice.credentials,
          cameras: connection.cameras)
      }
    } catch {
      throw CommandFailure.usage(error.message)
    }
  }

  /// How long to wait for the nodes.
  var configuration: CameraBus.Configuration {
    .init(connectTimeout: chosenTimeout ?? .seconds(3), requestTimeout: timeout)
  }

  private func described() throws(CameraBusError) -> RigDescription {
    if let rig { return try RigDescription(file: rig) }
    guard all else { return try RigDescription(nodes: nodes) }
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
