import CameraNode
import EventLoop
import Glibc
import Logging
import OperatingSystem

/// A node as a service, which runs until a signal ends it.
struct NodeService: Sendable {
  let configuration: NodeConfiguration
  let signals: SignalQueue
  let log: Logger

  /// - Parameter loop: Runs the task that calls this.
  /// - Throws: `NodeError` if the node cannot start; `SystemError` if the standard output cannot be
  ///   written.
  func run(on loop: EventLoop) async throws {
    log.debug("starting the node \(configuration.name)")
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
      // It is cancelled, and has ended, before the node stops.
      async let _ = Self.feed(manager, for: node, on: loop)
      await untilEnded(node, manager, on: loop)
      log.debug("stopping the node \(configuration.name)")
      manager?.tell(.stopping)
    }
    await node.stop()
  }

  /// Waits for a signal that ends the node, and reloads the keys at each SIGHUP. Without a service
  /// manager that signal ends the node, because a terminal that closes sends it.
  private func untilEnded(
    _ node: Node, _ manager: ServiceManager?, on loop: EventLoop
  ) async {
    while true {
      while let signal = signals.next() {
        guard signal == SIGHUP, manager != nil else { return }
        node.reload()
      }
      try? await loop.ready(signals.descriptor, for: .readable)
    }
  }

  /// Tells the service manager that the node's threads turn, twice as often as it wants to know.
  private static func feed(
    _ manager: ServiceManager?, for node: Node, on loop: EventLoop
  ) async {
    guard let manager, let interval = manager.watchdogInterval else { return }
    while !Task.isCancelled {
      await node.pulse()
      manager.tell(.alive)
      try? await loop.sleep(until: .now + interval / 2)
    }
  }
}
