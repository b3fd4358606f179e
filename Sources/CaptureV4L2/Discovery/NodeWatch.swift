import EventLoop
import Glibc
import OperatingSystem

/// Notices when a camera's node appears, becomes accessible, or is closed by another program.
///
/// The kernel's device messages do not reach into containers, and do not report that a program
/// closed a camera.
final class NodeWatch {
  private let onChange: @Sendable () -> Void
  private var changes: FileChanges?
  private var folderNumber: Int32?
  private var nodeNumber: Int32?

  /// Watches a folder for nodes of cameras.
  /// - Throws: The system's error if it has no room for another watch.
  init(
    folder: String, on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.onChange = onChange
    let changes = try FileChanges(on: loop) { [weak self] changes in
      if let self, changes.contains(where: isNews) { self.onChange() }
    }
    self.changes = changes
    do throws(SystemError) {
      // A node is created and then gets its group and mode. A node that was made elsewhere is moved
      // here.
      folderNumber = try changes.watch(folder, for: (IN_CREATE | IN_ATTRIB | IN_MOVED_TO).bits)
    } catch {
      changes.cancel()
      throw error
    }
  }

  /// Ends the watch. Call it before releasing the last reference.
  func cancel() { changes?.cancel() }

  /// Starts to watch for programs that close this node.
  func add(node path: String) {
    nodeNumber = try? changes?.watch(path, for: (IN_CLOSE_WRITE | IN_CLOSE_NOWRITE).bits)
  }

  /// Stops watching the node. Call it before this process opens the node itself.
  func removeNode() {
    if let nodeNumber { changes?.unwatch(nodeNumber) }
    nodeNumber = nil
  }

  private func isNews(_ change: FileChanges.Change) -> Bool {
    switch change.number {
    case nil: true
    case folderNumber: change.name.hasPrefix("video")
    case nodeNumber: change.kind & IN_IGNORED.bits == 0
    default: false
    }
  }
}
