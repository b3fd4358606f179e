import Glibc
import OperatingSystem
import TestSupport

/// A small disk whose writers can be made to wait, as for a slow disk, or to fail, as for a broken
/// one: ext4 in a file.
struct FrozenDisk {
  let folder: TemporaryFolder
  private let image: TemporaryFolder

  init() throws {
    (folder, image) = (try TemporaryFolder(), try TemporaryFolder())
    try output(of: "truncate", ["-s", "16M", "\(image.path)/disk"])
    try output(of: "mkfs.ext4", ["-q", "\(image.path)/disk"])
    let options = "loop,errors=remount-ro"
    try output(of: "mount", ["-o", options, "\(image.path)/disk", folder.path])
  }

  /// From now on writers wait.
  func freeze() throws { try output(of: "fsfreeze", ["--freeze", folder.path]) }

  /// Lets the writers go on. It does nothing to a disk that is not frozen.
  func thaw() { _ = try? output(of: "fsfreeze", ["--unfreeze", folder.path]) }

  /// Makes the kernel find a fault. From now on nobody can write.
  func breakDown() throws {
    let words = try output(of: "findmnt", ["-n", "-o", "SOURCE", folder.path])
    let device = String(decoding: words, as: UTF8.self).dropFirst("/dev/".count)
    let trigger = try FileDescriptor(
      "/sys/fs/ext4/\(device.prefix { !$0.isWhitespace })/trigger_fs_error", O_WRONLY)
    unsafe try trigger.write(Array("1".utf8).span.bytes)
  }

  func unmount() { _ = try? output(of: "umount", [folder.path]) }

  /// Whether this process may mount and freeze a disk. Even root may not in some containers.
  static let canBeMade: Bool = {
    guard geteuid() == 0, let disk = try? FrozenDisk() else { return false }
    defer { disk.unmount() }
    guard (try? disk.freeze()) != nil else { return false }
    disk.thaw()
    return true
  }()
}
