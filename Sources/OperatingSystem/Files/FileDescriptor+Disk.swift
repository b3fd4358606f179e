import CLinux
package import Glibc

extension FileDescriptor {
  /// Waits until all bytes that were written are on the disk (fsync(2)).
  package func synchronize() throws(SystemError) {
    try systemCall("fsync \(path)") { fsync(rawValue) }
  }

  /// Makes a complete file durable under its final name, all or nothing.
  ///
  /// The file was written under a temporary name on the same disk. Its bytes reach the disk before
  /// the file is renamed, so that the final name never stands for half a file, not even after a
  /// power cut.
  /// - Parameter replaces: Whether a file that has the name is replaced; otherwise it is `EEXIST`.
  package func publish(as destination: String, replaces: Bool = true) throws(SystemError) {
    try synchronize()
    guard try FileStatus(at: path, followsLinks: false).identity == status().identity else {
      throw SystemError(errno: EEXIST, operation: "create \(path)")
    }
    try Folder.move(path, to: destination, replaces: replaces)
  }

  /// Gives the file the mode and the owner of another one, which it is about to replace.
  /// - Throws: `EPERM` if this user may not give files to that owner.
  package func take(modeAndOwnerOf other: FileStatus) throws(SystemError) {
    let own = try status()
    if own.owner != other.owner || own.group != other.group {
      try systemCall("chown \(path)") { fchown(rawValue, other.owner, other.group) }
    }
    // Never the special bits: the bytes of somebody else must not run as the owner.
    try setPermissions(other.permissions & 0o777)
  }

  /// Gives the file to another user, which only root may.
  package func give(to owner: uid_t) throws(SystemError) {
    try systemCall("chown \(path)") { fchown(rawValue, owner, gid_t.max) }
  }

  package func setPermissions(_ mode: mode_t) throws(SystemError) {
    try systemCall("chmod \(path)") { fchmod(rawValue, mode) }
  }

  /// Reserves space on the disk for the file's first bytes; the file's size stays as it is. This
  /// reports a full disk early and makes writing cheaper. On file systems that cannot reserve space
  /// it does nothing.
  package func reserve(_ byteCount: Int64) throws(SystemError) {
    do {
      try systemCall("reserve \(path)") { CLinux_reserve(rawValue, byteCount) }
    } catch {
      guard error.errno == EOPNOTSUPP || error.errno == ENOSYS else { throw error }
    }
  }

  /// Starts to write a range to the disk and does not wait for it, so that a later
  /// ``synchronize()`` is short. Where the disk cannot do this, that wait is long.
  package func beginWriteback(from offset: Int64, count: Int64) {
    _ = CLinux_beginWriteback(rawValue, offset, count)
  }
}
