import Foundation
import Glibc

/// A disk of a test: a small tmpfs, mounted in a temporary folder.
struct SmallDisk {
  let folder: TemporaryFolder

  init(megabytes: Int) throws {
    folder = try TemporaryFolder()
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.path])
  }

  func unmount() {
    try? Self.run("umount", [folder.path])
  }

  /// Whether we may mount; root may not everywhere.
  static let canBeMade: Bool = {
    guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
    disk.unmount()
    return true
  }()

  private static func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }
}
