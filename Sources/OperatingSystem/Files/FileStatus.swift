package import Glibc

/// What the file system knows about a file or folder (stat(2)).
package struct FileStatus: Sendable {
  /// The same file has the same identity under every name.
  package struct Identity: Hashable, Sendable {
    let device: dev_t
    let inode: ino_t

    /// Both numbers, as systemd writes them into `JOURNAL_STREAM`.
    package var deviceAndInode: String { "\(device):\(inode)" }
  }

  package let identity: Identity
  /// The user that owns the file.
  package let owner: uid_t
  /// The group that owns the file.
  package let group: gid_t
  /// In bytes.
  package let byteCount: Int
  /// When its bytes were last changed, in nanoseconds since 1970.
  package let modifiedAt: Int64
  private let mode: mode_t
  private let special: dev_t
  private let linkCount: nlink_t

  /// The status of the file at a path.
  /// - Parameter followsLinks: If false, the status of a symbolic link is its own.
  package init(at path: String, followsLinks: Bool = true) throws(SystemError) {
    var status = stat()
    try systemCall("stat \(path)", at: path) {
      unsafe fstatat(AT_FDCWD, $0.pointer, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    }
    self.init(status)
  }

  /// Whether there is anything at the path, as far as this user can see.
  package static func exists(_ path: String) -> Bool { (try? FileStatus(at: path)) != nil }

  init(of file: borrowing FileDescriptor) throws(SystemError) {
    try self.init(descriptor: file.rawValue, path: file.path)
  }

  /// The status of the file behind a descriptor that somebody else owns.
  package init(descriptor: Int32) throws(SystemError) {
    try self.init(descriptor: descriptor, path: "descriptor \(descriptor)")
  }

  private init(descriptor: Int32, path: String) throws(SystemError) {
    var status = stat()
    try systemCall("stat \(path)") { unsafe fstat(descriptor, &status) }
    self.init(status)
  }

  private init(_ status: stat) {
    identity = Identity(device: status.st_dev, inode: status.st_ino)
    owner = status.st_uid
    group = status.st_gid
    byteCount = Int(status.st_size)
    modifiedAt = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    mode = status.st_mode
    special = status.st_rdev
    linkCount = status.st_nlink
  }

  /// The permission bits and the special bits.
  package var permissions: mode_t { mode & 0o7777 }
  /// Whether no name leads to it any more, such as a working directory that was deleted.
  package var isRemoved: Bool { linkCount == 0 }
  /// Whether the file has another name too.
  package var hasOtherNames: Bool { linkCount > 1 }

  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  package var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  package var isPipe: Bool { mode & S_IFMT == S_IFIFO }
  package var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
  package var isDevice: Bool { [S_IFCHR, S_IFBLK].contains(mode & S_IFMT) }
  /// The number of the device behind a device node, as the kernel writes it ("81:0"); nil for any
  /// other file.
  package var deviceNumber: String? {
    guard isDevice else { return nil }
    // The C library's macros, which do not import (bits/sysmacros.h).
    let major = (special >> 8) & 0xFFF | (special >> 32) & ~0xFFF
    let minor = special & 0xFF | (special >> 12) & ~0xFF
    return "\(UInt32(truncatingIfNeeded: major)):\(UInt32(truncatingIfNeeded: minor))"
  }

  /// Whether it is this process's user's, and no other user may use it.
  package var isForThisUserAlone: Bool { owner == geteuid() && mode & 0o077 == 0 }

  /// Whether the members of the file's group may read and write it.
  package var groupMayReadAndWrite: Bool {
    let both = mode_t(S_IRGRP | S_IWGRP)
    return mode & both == both
  }
}
