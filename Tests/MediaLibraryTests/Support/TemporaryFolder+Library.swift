import EventLoop
import Foundation
import MediaLibrary
import OperatingSystem
import TestSupport

extension TemporaryFolder {
  /// All files of the library, sorted, without its index and its lock.
  var files: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: path)
        .filter { path in
          let attributes = try FileManager.default.attributesOfItem(atPath: self.path + "/" + path)
          return attributes[.type] as? FileAttributeType != .typeDirectory
            && path != ".lock" && !path.hasPrefix("library.sqlite")
        }
        .sorted()
    }
  }

  /// Opens a library in this folder while `body` runs.
  func withLibrary<R: Sendable>(
    minimumFreeBytes: Int = 0, group: FileGroup? = nil,
    _ body: (MediaLibrary, [LibraryFinding]) async throws -> R
  ) async throws -> R {
    let loop = EventLoop(name: "library test")
    defer { loop.stop() }
    let library = try MediaLibrary(
      folder: path, loop: loop, minimumFreeBytes: minimumFreeBytes, group: group)
    let findings = try await library.open()
    return try await attempt {
      try await body(library, findings)
    } finally: {
      await library.close()
    }
  }
}
