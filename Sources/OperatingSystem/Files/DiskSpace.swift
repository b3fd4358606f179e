import Glibc

/// What a folder's disk has left for an ordinary user (statvfs(3)).
package struct DiskSpace: Hashable, Sendable {
  package let freeBytes: Int
  /// Whether another file can be made. Some file systems are made for a fixed number of files.
  package let hasFreeFiles: Bool
  /// Whether the disk is mounted read-only. A disk that the kernel has closed to writers after a
  /// fault does not always count.
  package let isReadOnly: Bool

  package init(of folder: String) throws(SystemError) {
    var status = statvfs()
    _ = try systemCall("statvfs \(folder)", at: folder) { unsafe statvfs($0.pointer, &status) }
    freeBytes = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    hasFreeFiles = status.f_files == 0 || status.f_favail > 0
    isReadOnly = status.f_flag & UInt(ST_RDONLY) != 0
  }
}

/// The space that a node never fills, so that a full disk does not stop the machine's other
/// programs.
package enum DiskReserve {
  package static let byteCount = 64 << 20
}
