package import Glibc

/// An open file or folder. Its errors name the path.
package struct FileDescriptor: ~Copyable, Sendable {
  package let path: String
  package let rawValue: Int32
  package private(set) var isOpen = true
  private var isLocked = false

  /// Opens the file, or creates it if the flags say so. A program that this one starts does not
  /// inherit it.
  ///
  /// - Parameters:
  ///   - flags: Flags of open(2), such as `O_RDONLY`.
  ///   - followsLinks: If false, a path that ends in a symbolic link is refused with `ELOOP`.
  package init(
    _ path: String,
    _ flags: Int32,
    mode: mode_t = 0o644,
    followsLinks: Bool = false
  ) throws(SystemError) {
    self.path = path
    let allFlags = flags | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    rawValue = try systemCall("open \(path)", at: path) { unsafe open($0.pointer, allFlags, mode) }
  }

  /// Opens a file or folder in an open folder. A symbolic link is refused with `ELOOP`, or with
  /// `ENOTDIR` where the flags ask for a folder.
  package init(
    _ name: String,
    in folder: borrowing FileDescriptor,
    _ flags: Int32
  ) throws(SystemError) {
    let path = "\(folder.path)/\(name)"
    let descriptor = folder.rawValue
    self.path = path
    rawValue = try systemCall("open \(path)", at: name) {
      unsafe openat(descriptor, $0.pointer, flags | O_CLOEXEC | O_NOFOLLOW, 0o644)
    }
  }

  /// Takes over an open descriptor.
  init(path: String, rawValue: Int32) {
    self.path = path
    self.rawValue = rawValue
  }

  /// Opens a file for reading, and nothing else that may have got its name: the opening of a pipe
  /// waits for its writer, and a device may have no end.
  ///
  /// - Throws: `ENXIO` if there is something else than a file.
  package static func openFile(
    _ path: String, followsLinks: Bool = false
  ) throws(SystemError) -> FileDescriptor {
    let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK, followsLinks: followsLinks)
    guard try file.status().isRegularFile else {
      throw SystemError(errno: ENXIO, operation: "open \(path)")
    }
    return file
  }

  deinit {
    if isOpen { _ = release() }
  }

  /// Closes the file. Nothing can be lost here if ``synchronize()`` was called after the last
  /// write.
  package mutating func close() throws(SystemError) {
    guard isOpen else { return }
    isOpen = false
    // Linux closes the descriptor even when a signal interrupts the call, so it is not repeated.
    guard release() == 0 || errno == EINTR else {
      throw SystemError(errno: errno, operation: "close \(path)")
    }
  }

  private func release() -> Int32 {
    // A process that is just being started has copies of all descriptors. Closing alone would leave
    // the lock with it for a moment.
    if isLocked { flock(rawValue, LOCK_UN) }
    return Glibc.close(rawValue)
  }

  // MARK: Bytes

  /// Writes all of `bytes` at the file's position.
  /// - Throws: `ECANCELED` when it is interrupted.
  package func write(
    _ bytes: RawSpan,
    _ interrupter: Interrupter? = nil
  ) throws(SystemError) {
    try Self.write(bytes, to: rawValue, at: path, interrupter)
  }

  /// Writes all of `bytes` to a descriptor that somebody else owns, such as the standard output.
  ///
  /// - Parameter path: The descriptor's name in errors.
  package static func write(
    _ bytes: RawSpan,
    to descriptor: Int32,
    at path: String,
    _ interrupter: Interrupter? = nil
  ) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      var count = 0
      do throws(SystemError) {
        count = try systemCall("write \(path)") {
          unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
      } catch {
        guard error.errno == EAGAIN else { throw error }
        try Interrupter.wait(for: POLLOUT, on: descriptor, until: interrupter)
      }
      rest = rest.extracting(droppingFirst: count)
    }
  }

  /// Reads up to `count` bytes that begin at `offset`. It returns fewer only at the end of the
  /// file.
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

  /// Removes all bytes.
  package func truncate() throws(SystemError) {
    try systemCall("truncate \(path)") { ftruncate(rawValue, 0) }
  }

  // MARK: State

  package func status() throws(SystemError) -> FileStatus {
    try FileStatus(of: self)
  }

  /// Takes the only lock on the file (flock(2)). The lock ends when the file is closed, also at the
  /// end of the process.
  ///
  /// - Throws: `EWOULDBLOCK` if another descriptor has the lock.
  package mutating func lock() throws(SystemError) {
    let descriptor = rawValue
    try systemCall("flock \(path)") { flock(descriptor, LOCK_EX | LOCK_NB) }
    isLocked = true
  }
}
