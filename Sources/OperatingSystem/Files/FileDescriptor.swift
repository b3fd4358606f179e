package import Glibc

/// An open file or folder. Its errors name the path.
package struct FileDescriptor: ~Copyable, Sendable {
  package let path: String
  package let rawValue: Int32
  package private(set) var isOpen = true

  /// Opens or, by the flags, creates it; closed on exec, and a link in the last place is refused.
  package init(_ path: String, _ flags: Int32, mode: mode_t = 0o644) throws(SystemError) {
    self.path = path
    rawValue = try systemCall("open \(path)") {
      unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
    }
  }

  deinit {
    if isOpen { _ = Glibc.close(rawValue) }
  }

  /// Closes it. After ``synchronize()`` there is nothing left that could be lost.
  package mutating func close() throws(SystemError) {
    guard isOpen else { return }
    isOpen = false
    // Not through `systemCall`: Linux has closed it also when a signal interrupted that.
    guard Glibc.close(rawValue) == 0 || errno == EINTR else {
      throw SystemError(errno: errno, operation: "close \(path)")
    }
  }

  /// Writes all of `bytes` at the file's position.
  package func write(_ bytes: RawSpan) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try systemCall("write \(path)") {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
      }
      rest = rest.extracting(droppingFirst: count)
    }
  }

  /// Up to `count` bytes from `offset` on; fewer only where the file ends.
  package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    try [UInt8](capacity: count) { (bytes) throws(SystemError) in
      while !bytes.isFull {
        let read = try systemCall("read \(path)") {
          unsafe bytes.withUnsafeMutableBufferPointer { memory, filled in
            let read = unsafe pread(
              rawValue,
              UnsafeMutableBufferPointer(rebasing: memory[filled...]).baseAddress,
              count - filled,
              off_t(offset + filled)
            )
            filled += max(0, read)
            return read
          }
        }
        guard read > 0 else { return }
      }
    }
  }

  /// Its size in bytes.
  package func byteCount() throws(SystemError) -> Int {
    var status = stat()
    _ = try systemCall("stat \(path)") { unsafe fstat(rawValue, &status) }
    return Int(status.st_size)
  }

  /// Waits until what was written is on the disk (fsync(2)).
  package func synchronize() throws(SystemError) {
    try systemCall("fsync \(path)") { fsync(rawValue) }
  }
}
