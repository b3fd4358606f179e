import ArgumentParser
import CameraClient
import CameraRig

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
      return try NodeSelection(nodes: nodes, rig: rig, all: all).connections()
    } catch {
      throw CommandFailure.usage(error.message)
    }
  }

  /// How long to wait for the nodes.
  var configuration: CameraBus.Configuration {
    .init(connectTimeout: chosenTimeout ?? .seconds(3), requestTimeout: timeout)
  }

  /// How the nodes are. All are asked at once, so that those that are not there take the time of
  /// one.
  func statuses() async throws -> [NodeTables.Entry] {
    let nodes = try connections()
    return await withTaskGroup(of: (Int, NodeTables.Entry).self) { group in
      for (index, node) in nodes.enumerated() {
        group.addTask { (index, await status(of: node)) }
      }
      var entries = [NodeTables.Entry?](repeating: nil, count: nodes.count)
      for await (index, entry) in group { entries[index] = entry }
      return entries.compactMap(\.self)
    }
  }

  private func status(of node: RigConnection) async -> NodeTables.Entry {
    do throws(CameraBusError) {
      var status = try await node.status(configuration)
      if let camera { status.cameras.removeAll { $0.name != camera } }
      return NodeTables.Entry(name: node.name, status: .success(status))
    } catch {
      return NodeTables.Entry(name: node.name, status: .failure(error))
    }
  }
}
