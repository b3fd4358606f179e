import CameraNode
import Foundation
import Logging
import ServiceLifecycle

/// A node as a service, which runs until its group shuts down.
struct NodeService: Service {
  let configuration: NodeConfiguration
  let log: Logger

  func run() async throws {
    let node = try await Node.start(configuration, log: log)
    let endpoints = node.endpoints
    let ipc = configuration.ipcFolder.map { " ipc=\($0)" } ?? ""
    let line =
      "camerad: ready control=\(endpoints.control) events=\(endpoints.events) frames=\(endpoints.frames)\(ipc)\n"
    FileHandle.standardOutput.write(Data(line.utf8))
    try? await gracefulShutdown()
    await node.stop()
  }
}
