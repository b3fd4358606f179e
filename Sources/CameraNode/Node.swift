import EventLoop
package import Logging

/// A running node: its threads, cameras, library and endpoints.
///
/// Threads: *control* (requests and events), *frames* (drivers' descriptors and the frames socket),
/// *connections* (their shares of memory and descriptors), *devices* (looks for cameras, and waits
/// for their drivers), *pressure* (asks sensors), *library* (disk), *sync* (waits until
/// recordings are on the disk), *memory* (waits until what clients change is there), two for each
/// camera (blocking driver calls, and writing movies), one for each core (JPEGs), a watchdog over
/// *control* and *frames*, and after a crash *recovery* (recovers movies that were cut off).
package final class Node: Sendable {
  package let endpoints: NodeEndpoints
  /// The threads that must never wait.
  private let loops: [EventLoop]
  private let keys: KeyService?
  private let reloads: ReloadService
  private let teardown: Teardown

  init(_ bus: NodeBus, keys: KeyService?, reloads: ReloadService, teardown: Teardown) {
    endpoints = bus.endpoints
    loops = bus.loops
    self.keys = keys
    self.reloads = reloads
    self.teardown = teardown
  }

  /// Starts a node. If a part cannot start, the parts that did are stopped again.
  /// - Throws: `NodeError` with the sentence to show.
  /// - Parameter onStuck: Called once, on any thread, when a thread of the node has not turned for
  ///   ten seconds. The node cannot be stopped then.
  package static func start(
    _ configuration: NodeConfiguration, log: Logger,
    onStuck: @escaping @Sendable (_ thread: String, _ activity: String) -> Void = { _, _ in }
  ) async throws(NodeError) -> Node {
    let teardown = Teardown()
    do {
      return try await assemble(
        configuration, log: log, onStuck: onStuck, teardown: teardown)
    } catch {
      await teardown.run()
      throw NodeError(error)
    }
  }

  /// Returns when the threads that must never wait have turned once.
  package func pulse() async {
    for loop in loops { await loop.run {} }
  }

  /// Reads the folder of keys again. The node does so by itself when it changes, unless the
  /// folder's disk tells nothing.
  package func reload() { keys?.reload() }

  /// Brings the cameras, the rules for adoption and how they start to another configuration,
  /// without ending what has not changed. What else has changed is logged: it needs another start.
  package func reload(_ configuration: NodeConfiguration) { reloads.take(configuration) }

  /// Finishes recordings, answers the requests in progress, and closes cameras and endpoints.
  package func stop() async {
    await teardown.run()
  }
}
