import ArgumentParser
import CameraClient
import CameraRig
import Glibc
import OperatingSystem

/// The status of many nodes.
extension StatusCommand {
  func showNodes() async throws {
    let nodes = try options.connections()
    if watch { return try await followNodes(nodes) }
    let entries = await ask(nodes)
    if options.json {
      for entry in entries { JSONLine.print(NamedStatus(name: entry.name, status: entry.status)) }
    } else if !(check && options.quiet) {
      NodeTables.print(entries)
    }
    let statuses = entries.map { entry in
      switch entry.status {
      case .success(let node): check ? node.checkStatus : 0
      // What the command says of one node, without its words.
      case .failure(let error): CommandFailure(error).status
      }
    }
    if let status = statuses.max(), status > 0 { throw ExitCode(status) }
  }

  /// Asks all nodes at once, so that those that are not there take the time of one.
  private func ask(_ nodes: [RigConnection]) async -> [NodeTables.Entry] {
    await withTaskGroup(of: (Int, NodeTables.Entry).self) { group in
      for (index, node) in nodes.enumerated() {
        group.addTask { (index, await ask(node)) }
      }
      var entries = [NodeTables.Entry?](repeating: nil, count: nodes.count)
      for await (index, entry) in group { entries[index] = entry }
      return entries.compactMap(\.self)
    }
  }

  private func ask(_ node: RigConnection) async -> NodeTables.Entry {
    do throws(CameraBusError) {
      var status = try await node.status(options.configuration)
      if let camera = options.camera { status.cameras.removeAll { $0.name != camera } }
      return NodeTables.Entry(name: node.name, status: .success(status))
    } catch {
      return NodeTables.Entry(name: node.name, status: .failure(error))
    }
  }

  private func followNodes(_ nodes: [RigConnection]) async throws {
    let monitor = MonitorOptions(window: .zero, configuration: options.configuration)
    try await withMonitor(of: nodes, options: monitor) { feed in
      var board = NodeBoard(nodes.map(\.name), camera: options.camera)
      var isFirst = true
      for try await event in feed {
        guard let entry = board.take(event) else { continue }
        if options.json {
          JSONLine.print(NamedStatus(name: entry.name, status: entry.status))
        } else {
          StandardOutput.beginPage(isFirst: isFirst)
          isFirst = false
          NodeTables.print(board.shown)
        }
      }
    }
  }
}
