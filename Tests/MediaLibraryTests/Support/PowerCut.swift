import Foundation
import Glibc
import TestSupport

/// A disk of a test whose power can be cut: an ext4 image in a file, mounted through a loop device.
///
/// A copy of the file has what the kernel has written to the disk, and lacks what it keeps in
/// memory, as a disk does whose power is cut.
struct PowerCut {
  /// The disk.
  let disk: TemporaryFolder
  /// What is on it when the power is back.
  let survivor: TemporaryFolder
  private let images: TemporaryFolder

  init() throws {
    (disk, survivor, images) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    try output(of: "truncate", ["-s", "16M", "\(images.path)/disk"])
    try output(of: "mkfs.ext4", ["-q", "\(images.path)/disk"])
    try output(of: "mount", ["-o", "loop", "\(images.path)/disk", disk.path])
  }

  /// Cuts the power; whoever writes to the disk does not notice.
  func happen() throws {
    try output(of: "cp", ["\(images.path)/disk", "\(images.path)/survivor"])
  }

  /// Mounts what was on the disk.
  func end() throws {
    try output(of: "mount", ["-o", "loop", "\(images.path)/survivor", survivor.path])
  }

  /// Quietly, for what was on the disk may not be mounted.
  func unmount() {
    for folder in [disk, survivor] { _ = try? output(of: "umount", ["-q", folder.path]) }
  }

  /// Whether we may mount files; root may not everywhere.
  static let canBeMade: Bool = {
    guard geteuid() == 0, let cut = try? PowerCut() else { return false }
    cut.unmount()
    return true
  }()
}
