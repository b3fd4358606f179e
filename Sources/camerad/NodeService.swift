import CameraNode
import EventLoop
import Glibc
import Logging
import OperatingSystem

/// A node as a service, which runs until a signal ends it.
struct NodeService: Sendable {
  let configuration: NodeConfiguration
  /// Reads the configuration again; nil if there is no file of it.
  let read: (@Sendable () -> (configuration: NodeConfiguration, mistakes: [ConfigurationError]))?
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

  /// Waits for a signal that ends the node, and reads the configuration and the keys again at each
  /// SIGHUP. Where the node has a terminal that signal ends it, because a terminal that closes
  /// sends it.
  private func untilEnded(
    _ node: Node, _ manager: ServiceManager?, on loop: EventLoop
  ) async {
    let reloads = manager != nil || read != nil && !SystemProcess.hasTerminal
    while true {
      while let signal = signals.next() {
        guard signal == SIGHUP, reloads else { return }
        reload(node)
      }
      try? await loop.ready(signals.descriptor, for: .readable)
    }
  }

  private func reload(_ node: Node) {
    node.reload()
    guard let (new, mistakes) = read?() else { return }
    guard mistakes.isEmpty else {
      for mistake in mistakes { log.error("\(mistake.message)") }
      return log.error("the configuration stays as it was: mend it, and send SIGHUP again")
    }
    LineLogHandler.level.withLock { $0 = new.logLevel.level }
    node.reload(new)
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
