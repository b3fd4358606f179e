import CameraNode
import Glibc
import Logging
import OperatingSystem
import ServiceLifecycle
import UnixSignals

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
    let manager = ServiceManager()
    manager?.tell(.ready)
    do {
      // Both are cancelled, and have ended, before the node stops.
      async let _ = Self.feed(manager, for: node)
      async let _ = Self.reload(node, for: manager)
      try? await gracefulShutdown()
      manager?.tell(.stopping)
    }
    await node.stop()
  }

  /// Tells the service manager that the node's threads turn, twice as often as it wants to know.
  private static func feed(_ manager: ServiceManager?, for node: Node) async {
    guard let manager, let interval = manager.watchdogInterval else { return }
    while !Task.isCancelled {
      await node.pulse()
      manager.tell(.alive)
      try? await Task.sleep(for: interval / 2)
    }
  }

  /// Reloads the keys at each SIGHUP. Without a service manager that signal ends the node, because
  /// a terminal that closes sends it.
  private static func reload(_ node: Node, for manager: ServiceManager?) async {
    guard manager != nil else { return }
    for await _ in await UnixSignalsSequence(trapping: .sighup) { node.reload() }
  }
}
