import Glibc

/// Makes a folder read-only, as if its disk was mounted so. Files that are open for writing stay
/// writable.
package struct ReadOnlyMount {
  private let folder: String

  package init(over folder: String) throws {
    self.folder = folder
    try output(of: "mount", ["--bind", folder, folder])
    try output(of: "mount", ["-o", "remount,ro,bind", folder])
  }

  package func end() { _ = try? output(of: "umount", [folder]) }

  /// Whether this process may mount folders. Even root may be denied.
  package static let canBeMade: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder(),
      let mount = try? ReadOnlyMount(over: folder.path)
    else { return false }
    mount.end()
    return true
  }()
}
