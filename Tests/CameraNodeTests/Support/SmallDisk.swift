import Foundation
import Glibc

/// A disk of a test: a small tmpfs, mounted in a folder of the test.
struct SmallDisk {
  let path: String

  init(megabytes: Int, at path: String) throws {
    self.path = path
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path])
  }

  func unmount() {
    try? Self.run("umount", [path])
  }

  private var filler: String { "\(path)/filler" }

  /// Takes all the space there is.
  func fill() throws {
    try Data().write(to: URL(fileURLWithPath: filler))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: filler))
    for byteCount in [1 << 20, 1 << 12] {
      while (try? file.write(contentsOf: Data(count: byteCount))) != nil {}
    }
    try file.close()
  }

  /// Gives it back.
  func clear() throws {
    try FileManager.default.removeItem(atPath: filler)
  }

  /// Whether we may mount; root may not everywhere.
  static let canBeMade: Bool = {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1, at: path) else { return false }
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
