import EventLoop
import Glibc
import OperatingSystem

/// Notices when a camera's node appears, becomes accessible, or is closed by another program.
///
/// It uses inotify(7), because the kernel's device messages do not reach into containers and do not
/// report that a program closed a camera.
// @unchecked: only its loop uses it.
final class NodeWatch: @unchecked Sendable {
  private static let bufferSize = 4096

  private let descriptor: Int32
  private let folderNumber: Int32
  private var nodeNumber: Int32?
  private let onChange: @Sendable () -> Void
  private var watch: Watch?

  /// Watches a folder for nodes of cameras.
  /// - Throws: The system's error if it has no room for another watch.
  init(
    folder: String, on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let descriptor = try systemCall("inotify_init") {
      inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    }
    do throws(SystemError) {
      folderNumber = try systemCall("inotify_add_watch") {
        // A node is created and then gets its group and mode. A node that was made elsewhere is
        // moved here.
        unsafe inotify_add_watch(descriptor, folder, (IN_CREATE | IN_ATTRIB | IN_MOVED_TO).bits)
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.onChange = onChange
    watch = loop.watch(descriptor, for: .readable) { [weak self] in self?.take() }
  }

  deinit {
    close(descriptor)
  }

  /// Ends the watch. Call it before releasing the last reference.
  func cancel() {
    watch?.cancel()
    watch = nil
  }

  /// Starts to watch for programs that close this node.
  func add(node path: String) {
    let number = unsafe inotify_add_watch(
      descriptor, path, (IN_CLOSE_WRITE | IN_CLOSE_NOWRITE).bits)
    nodeNumber = number < 0 ? nil : number
  }

  /// Stops watching the node. Call it before this process opens the node itself.
  func removeNode() {
    if let nodeNumber { inotify_rm_watch(descriptor, nodeNumber) }
    nodeNumber = nil
  }

  private func take() {
    var isNews = false
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 8) { buffer in
      while true {
        let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        let events = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if unsafe hasNews(events) { isNews = true }
      }
    }
    if isNews { onChange() }
  }

  private func hasNews(_ events: UnsafeRawBufferPointer) -> Bool {
    var (offset, isNews) = (0, false)
    let headerSize = MemoryLayout<inotify_event>.size
    while offset + headerSize <= events.count {
      let event = unsafe events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let name = offset + headerSize
      offset = name + Int(event.len)
      switch event.wd {
      case folderNumber:
        if unsafe text(in: events[name..<offset]).hasPrefix("video") { isNews = true }
      case nodeNumber: isNews = isNews || event.mask & Int32(IN_IGNORED).bits == 0
      default: isNews = isNews || event.mask & Int32(IN_Q_OVERFLOW).bits != 0
      }
    }
    return isNews
  }
}
