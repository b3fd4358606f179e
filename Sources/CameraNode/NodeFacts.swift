import EventLoop
import OperatingSystem

/// What does not change while a node runs.
struct NodeFacts: Sendable {
  let name: String
  let version = Node.version
  let started = MonotonicTime.now
  /// The library's folder.
  let library: String
}

/// Where a running node listens, with wildcards resolved.
package struct NodeEndpoints: Hashable, Sendable {
  package var control: String
  package var events: String
  package var frames: String

  package init(control: String, events: String, frames: String) {
    self.control = control
    self.events = events
    self.frames = frames
  }

  /// The three sockets of a folder.
  package init(ipcFolder folder: String) {
    self.init(
      control: "ipc://\(folder)/control", events: "ipc://\(folder)/events",
      frames: "ipc://\(folder)/frames")
  }
}
