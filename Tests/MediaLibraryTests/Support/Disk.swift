import Foundation
import Glibc

/// A disk of a test: a small tmpfs, mounted in a temporary folder.
struct Disk {
  let folder: TemporaryFolder

  init(megabytes: Int) throws {
    folder = try TemporaryFolder()
    _ = try output(of: "mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.path])
  }

  func unmount() {
    _ = try? output(of: "umount", [folder.path])
  }

  /// Whether we may mount; root may not everywhere.
  static let canBeMade: Bool = {
    guard geteuid() == 0, let disk = try? Disk(megabytes: 1) else { return false }
    disk.unmount()
    return true
  }()
}
