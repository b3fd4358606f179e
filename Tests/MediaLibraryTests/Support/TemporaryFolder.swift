import EventLoop
import Foundation
import MediaLibrary

/// A folder of a test, deleted with everything in it when the test is done.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "library-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path(percentEncoded: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// All files below that are the library's business, sorted: neither its index nor its lock.
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

  func read(_ relativePath: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: path + "/" + relativePath)))
  }

  func write(_ text: String, to relativePath: String) throws {
    let url = URL(filePath: path + "/" + relativePath)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  /// Opens a library here, for as long as `body` runs.
  func withLibrary<R: Sendable>(
    minimumFreeBytes: Int = 0,
    _ body: (MediaLibrary, [LibraryFinding]) async throws -> R
  ) async throws -> R {
    let loop = EventLoop(name: "library test")
    defer { loop.stop() }
    let library = try MediaLibrary(folder: path, loop: loop, minimumFreeBytes: minimumFreeBytes)
    let findings = try await library.open()
    do {
      let result = try await body(library, findings)
      await library.close()
      return result
    } catch {
      await library.close()
      throw error
    }
  }
}
