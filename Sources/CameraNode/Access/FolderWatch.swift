import EventLoop
import Glibc
import OperatingSystem

/// Notices that something in a folder, or in a folder in it, was made, changed or deleted.
final class FolderWatch {
  private static let kinds = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ATTRIB
      | IN_DELETE_SELF | IN_MOVE_SELF)

  private let changes: FileChanges
  private let folders: [String]

  /// - Parameters:
  ///   - folder: The outer one.
  ///   - inner: The path of the folder in it.
  /// - Throws: The system's error if it has no room for another watch.
  init(
    _ folder: String, _ inner: String, on loop: EventLoop,
    _ onChange: @escaping () -> Void
  ) throws(SystemError) {
    changes = try FileChanges(on: loop) { _ in onChange() }
    folders = [folder, inner]
    do throws(SystemError) {
      for folder in folders { try changes.watch(folder, for: Self.kinds) }
    } catch {
      changes.cancel()
      throw error
    }
  }

  /// Ends the watch. Call it before releasing the last reference.
  func cancel() { changes.cancel() }

  /// Watches the folders that have the names now. They may be others than before.
  /// - Throws: The system's error if a folder is gone, or if it has no room for another watch.
  func renew() throws(SystemError) {
    for folder in folders { try changes.watch(folder, for: Self.kinds) }
  }
}
