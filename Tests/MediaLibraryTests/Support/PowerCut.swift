import Foundation
import Glibc
import TestSupport

/// A test's disk whose power can be cut: an ext4 image in a file, mounted through a loop device.
///
/// A copy of the file is the disk after a power cut. It has the bytes that the kernel has written
/// to the disk, but not those in memory.
struct PowerCut {
  /// The disk.
  let disk: TemporaryFolder
  /// The disk's contents after the power cut.
  let survivor: TemporaryFolder
  private let images: TemporaryFolder

  init() throws {
    (disk, survivor, images) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    try output(of: "truncate", ["-s", "16M", "\(images.path)/disk"])
    try output(of: "mkfs.ext4", ["-q", "\(images.path)/disk"])
    try output(of: "mount", ["-o", "loop", "\(images.path)/disk", disk.path])
  }

  /// Cuts the power. Programs that write to the disk do not notice it.
  func happen() throws {
    try output(of: "cp", ["\(images.path)/disk", "\(images.path)/survivor"])
  }

  /// Mounts the disk's contents.
  func end() throws {
    try output(of: "mount", ["-o", "loop", "\(images.path)/survivor", survivor.path])
  }

  /// Errors are ignored, because the copy may not be mounted.
  func unmount() {
    for folder in [disk, survivor] { _ = try? output(of: "umount", ["-q", folder.path]) }
  }

  /// Whether this process may mount files. Even root may not in some containers.
  static let canBeMade: Bool = {
    guard geteuid() == 0, let cut = try? PowerCut() else { return false }
    cut.unmount()
    return true
  }()
}
