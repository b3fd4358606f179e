import Foundation
import Glibc

/// A small disk for a test: a tmpfs mounted in its own folder.
package struct SmallDisk {
  package let folder: TemporaryFolder
  private let filler = "filler"

  /// - Parameter files: The most files and folders that the disk takes.
  package init(megabytes: Int, files: Int = 10_000) throws {
    folder = try TemporaryFolder()
    let options = "size=\(megabytes)m,nr_inodes=\(files)"
    try output(of: "mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder.path])
  }

  package func unmount() {
    _ = try? output(of: "umount", [folder.path])
  }

  /// Fills the disk with a file named `filler`, except for `rest` bytes and less than a page.
  package func fill(leaving rest: Int = 0) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: folder.write([], to: filler)))
    for byteCount in [1 << 20, 1 << 12] {
      while try freeByteCount - rest >= byteCount,
        (try? file.write(contentsOf: Data(count: byteCount))) != nil
      {}
    }
    try file.close()
  }

  /// Makes empty files until the disk takes no more, in a folder named `filler`.
  package func fillWithFiles() throws {
    let path = "\(folder.path)/\(filler)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    var count = 0
    while FileManager.default.createFile(atPath: "\(path)/\(count)", contents: nil) { count += 1 }
  }

  /// Removes the filler.
  package func clear() throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(filler)")
  }

  /// Whether this process may mount a disk. Even root may be denied.
  package static let canBeMade: Bool = {
    guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
    disk.unmount()
    return true
  }()

  private var freeByteCount: Int {
    get throws {
      let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
      return (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0
    }
  }
}
