import Foundation

/// A folder for one test, gone after it.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("camerabus-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// A file in it with this text.
  borrowing func file(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }
}
