package import EventLoop
import Glibc
package import OperatingSystem

/// Notices that a camera's node was made, removed, or given other permissions.
// @unchecked: only its loop uses it.
package final class DeviceFolderWatch: @unchecked Sendable {
  private static let kinds = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ATTRIB)

  private let changes: FileChanges

  /// - Throws: The system's error if it has no room for another watch.
  package init(
    _ folder: String = V4L2Discovery.deviceFolder, on loop: EventLoop,
    _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    changes = try FileChanges(on: loop) { changes in
      // A change without a number stands for those that were lost.
      guard changes.contains(where: { $0.number == nil || $0.name.hasPrefix("video") }) else {
        return
      }
      onChange()
    }
    do throws(SystemError) {
      try changes.watch(folder, for: Self.kinds)
    } catch {
      changes.cancel()
      throw error
    }
  }

  /// Ends the watch. Call it before releasing the last reference.
  package func cancel() { changes.cancel() }
}
