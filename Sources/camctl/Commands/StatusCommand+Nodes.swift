import ArgumentParser
import CameraClient
import CameraRig
import Glibc
import OperatingSystem
import Reports

/// The status of many nodes.
extension StatusCommand {
  func showNodes() async throws {
    if watch { return try await followNodes(try options.connections()) }
    let entries = try await options.statuses()
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
