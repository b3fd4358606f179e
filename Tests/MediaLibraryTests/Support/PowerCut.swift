import Foundation
import Glibc

/// A disk of a test whose power can be cut: an ext4 image in a file, mounted through a loop device.
///
/// A copy of the file has what the kernel has written to the disk, and lacks what it keeps in memory, as a disk does
/// whose power is cut.
struct PowerCut {
  /// The disk.
  let disk: TemporaryFolder
  /// What is on it when the power is back.
  let survivor: TemporaryFolder
  private let images: TemporaryFolder

  init() throws {
    (disk, survivor, images) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    _ = try output(of: "truncate", ["-s", "16M", "\(images.path)/disk"])
    _ = try output(of: "mkfs.ext4", ["-q", "\(images.path)/disk"])
    _ = try output(of: "mount", ["-o", "loop", "\(images.path)/disk", disk.path])
  }

  /// Cuts the power; whoever writes to the disk does not notice.
  func happen() throws {
    _ = try output(of: "cp", ["\(images.path)/disk", "\(images.path)/survivor"])
  }

  /// Mounts what was on the disk.
  func end() throws {
    _ = try output(of: "mount", ["-o", "loop", "\(images.path)/survivor", survivor.path])
  }

  func unmount() {
    for folder in [disk, survivor] { _ = try? output(of: "umount", [folder.path]) }
  }

  /// Whether we may mount files; root may not everywhere.
  static let canBeMade: Bool = {
    guard geteuid() == 0, let cut = try? PowerCut() else { return false }
    cut.unmount()
    return true
  }()
}
