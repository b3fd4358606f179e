import Foundation
import Glibc

/// A disk for a test as cameras and sticks have it: exFAT, which compares names without case. It is
/// an image in a file, mounted in its own folder.
package struct ExFATDisk {
  package let folder: TemporaryFolder
  private let image: TemporaryFolder
  private let device: String

  package init() throws {
    (folder, image) = (try TemporaryFolder(), try TemporaryFolder())
    let path = try image.write([], to: "image")
    try output(of: "truncate", ["--size", "64M", path])
    try output(of: "mkfs.exfat", [path])
    let said = try output(of: "losetup", ["--find", "--show", path])
    device = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .newlines)
    do {
      // The kernel's own driver, or else the one of FUSE.
      do {
        try output(of: "mount", ["-i", "-t", "exfat", device, folder.path])
      } catch {
        // It goes on in the background, and must keep open neither the pipe of its output nor the
        // socket by which Foundation notices its end.
        let script = """
          for n in $(ls /proc/$$/fd); do [ "$n" -le 2 ] || eval "exec $n>&-"; done
          exec mount.exfat-fuse "$@" >/dev/null 2>&1
          """
        try output(of: "bash", ["-c", script, "bash", device, folder.path])
      }
    } catch {
      _ = try? output(of: "losetup", ["--detach", device])
      throw error
    }
  }

  package func unmount() {
    _ = try? output(of: "umount", [folder.path])
    _ = try? output(of: "losetup", ["--detach", device])
  }

  /// Whether this machine can mount one.
  package static let canBeMade: Bool = {
    guard geteuid() == 0, let disk = try? ExFATDisk() else { return false }
    disk.unmount()
    return true
  }()
}
