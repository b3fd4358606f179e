import Glibc
package import OperatingSystem

/// Tells what happens to files and folders (inotify(7)).
// @unchecked: only its loop uses it.
package final class FileChanges: @unchecked Sendable {
  /// One change.
  package struct Change: Hashable, Sendable {
    /// What ``FileChanges/watch(_:for:)`` returned. Nil if changes were lost.
    package let number: Int32?
    /// `IN_CREATE` and so on.
    package let kind: UInt32
    /// The file's name in a folder that is watched; else empty.
    package let name: String
  }

  private static let bufferSize = 4096

  private let descriptor: Int32
  private let onChanges: ([Change]) -> Void
  private var watch: Watch?

  /// - Throws: The system's error if it has no room for another one.
  package init(
    on loop: EventLoop, _ onChanges: @escaping ([Change]) -> Void
  ) throws(SystemError) {
    let descriptor = try systemCall("inotify_init") {
      inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    }
    self.descriptor = descriptor
    self.onChanges = onChanges
    watch = loop.watch(descriptor, for: .readable) { [weak self] in self?.take() }
  }

  deinit { close(descriptor) }

  /// Ends it. Call it before releasing the last reference.
  package func cancel() {
    watch?.cancel()
    watch = nil
  }

  /// Watches what has the path now.
  /// - Parameter kinds: `IN_CREATE` and so on.
  /// - Returns: A number for ``unwatch(_:)``. What is watched already keeps its number.
  @discardableResult
  package func watch(_ path: String, for kinds: UInt32) throws(SystemError) -> Int32 {
    try systemCall("watch \(path)", at: path) {
      unsafe inotify_add_watch(descriptor, $0.pointer, kinds)
    }
  }

  /// Stops watching.
  package func unwatch(_ number: Int32) { inotify_rm_watch(descriptor, number) }

  private func take() {
    var changes: [Change] = []
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 8) { buffer in
      while true {
        let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        unsafe Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &changes)
      }
    }
    if !changes.isEmpty { onChanges(changes) }
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, into changes: inout [Change]) {
    var offset = 0
    let headerSize = MemoryLayout<inotify_event>.size
    while offset + headerSize <= bytes.count {
      let event = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let start = offset + headerSize
      offset = start + Int(event.len)
      let name = unsafe String(decoding: bytes[start..<offset].prefix { $0 != 0 }, as: UTF8.self)
      changes.append(Change(number: event.wd < 0 ? nil : event.wd, kind: event.mask, name: name))
    }
  }
}
