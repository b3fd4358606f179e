import CameraNode
import Glibc
import Logging
import OperatingSystem
import ServiceLifecycle

/// A node as a service, which runs until its group shuts down.
struct NodeService: Service, CustomStringConvertible {
  let configuration: NodeConfiguration
  let log: Logger

  /// What the log of the service group calls it.
  var description: String { "node \(configuration.name)" }

  func run() async throws {
    let node = try await Node.start(configuration, log: log) { [log] thread, activity in
      log.critical(
        "the thread \(thread) has not turned for 10 s (\(activity)): the node ends, to be started again"
      )
      // The node cannot be stopped in order: that would wait for the same thread.
      _exit(EX_SOFTWARE)
    }
    let endpoints = node.endpoints
    let ipc = configuration.ipcFolder.map { " ipc=\($0)" } ?? ""
    let line =
      "camerad: ready control=\(endpoints.control) events=\(endpoints.events) frames=\(endpoints.frames)\(ipc)\n"
    do {
      try StandardStream.output.write(Array(line.utf8))
    } catch {
      // A program that waits for this line would wait for ever.
      await node.stop()
      throw error
    }
    try? await gracefulShutdown()
    await node.stop()
  }
}
