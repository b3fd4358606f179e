import EventLoop
import Glibc
import OperatingSystem

/// Notices that something in a folder, or in a folder in it, was made, changed or deleted.
// @unchecked: only its loop uses it.
final class FolderWatch: @unchecked Sendable {
  private static let bufferSize = 4096
  private static let events: UInt32 =
    UInt32(
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF)

  private let descriptor: Int32
  private let folders: [String]
  private let onChange: @Sendable () -> Void
  private var watch: Watch?

  /// - Parameters:
  ///   - folder: the outer one.
  ///   - inner: the path of the folder in it.
  /// - Throws: The system's error if it has no room for another watch.
  init(
    _ folder: String, _ inner: String, on loop: EventLoop,
    _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let descriptor = try systemCall("inotify_init") {
      inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    }
    self.descriptor = descriptor
    folders = [folder, inner]
    self.onChange = onChange
    for folder in folders {
      try systemCall("watch \(folder)") {
        unsafe inotify_add_watch(descriptor, folder, Self.events)
      }
    }
    watch = loop.watch(descriptor, for: .readable) { [weak self] in self?.take() }
  }

  deinit { close(descriptor) }

  /// Ends the watch. Call it before releasing the last reference.
  func cancel() {
    watch?.cancel()
    watch = nil
  }

  /// Watches the folders that have the names now. They may be others than before.
  func renew() {
    for folder in folders { _ = unsafe inotify_add_watch(descriptor, folder, Self.events) }
  }

  private func take() {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 8) { buffer in
      while unsafe read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
    onChange()
  }
}
