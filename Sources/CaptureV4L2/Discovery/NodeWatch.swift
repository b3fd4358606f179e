import EventLoop
import Glibc

/// Notices by itself that a camera's node came, may be used now, or was closed by another program.
///
/// By inotify(7): the kernel's own messages of devices do not reach into containers, and say nothing of a program that
/// lets go of a camera.
// @unchecked: confined to its loop.
final class NodeWatch: @unchecked Sendable {
  private static let bufferSize = 4096

  private let descriptor: Int32
  private let folderNumber: Int32
  private var nodeNumber: Int32?
  private let onChange: @Sendable () -> Void
  private var watch: Watch?

  /// Watches for nodes of cameras in a folder.
  /// - Throws: what the system says when it has no room for another watch.
  init(
    folder: String, on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let descriptor = try systemCall("inotify_init") {
      inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    }
    do throws(SystemError) {
      folderNumber = try systemCall("inotify_add_watch") {
        // A node is made, then given its group and mode; one that was made elsewhere is moved here.
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

  /// To be called before the last reference goes.
  func cancel() {
    watch?.cancel()
    watch = nil
  }

  /// Watches who closes this node, from now on.
  func add(node path: String) {
    let number = unsafe inotify_add_watch(
      descriptor, path, (IN_CLOSE_WRITE | IN_CLOSE_NOWRITE).bits)
    nodeNumber = number < 0 ? nil : number
  }

  /// Leaves the node alone: whoever opens and closes it now is no stranger.
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
