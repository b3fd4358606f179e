import CameraProtocol
import EventLoop
import OperatingSystem

/// Facts about a node that do not change while it runs.
struct NodeFacts: Sendable {
  let name: String
  let version = Release.version
  let started = MonotonicTime.now
  /// The library's folder.
  let library: String
}

/// The endpoints that a running node listens on, with wildcards resolved.
package struct NodeEndpoints: Hashable, Sendable {
  package var control: String
  package var events: String
  package var frames: String

  package init(control: String, events: String, frames: String) {
    self.control = control
    self.events = events
    self.frames = frames
  }

  /// The files of those that are ipc sockets.
  var sockets: [String] {
    [control, events, frames].filter { $0.hasPrefix("ipc:///") }.map { String($0.dropFirst(6)) }
  }

  /// The ipc endpoints in a folder.
  package init(ipcFolder folder: String) {
    self.init(
      control: "ipc://\(folder)/control", events: "ipc://\(folder)/events",
      frames: "ipc://\(folder)/frames")
  }
}
