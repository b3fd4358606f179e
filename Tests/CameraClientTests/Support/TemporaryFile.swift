import Foundation

/// A path for one test's file; file and part are gone with it.
final class TemporaryFile: Sendable {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("camerabus-\(UUID().uuidString)").path

  deinit {
    for path in [path, path + ".part"] { try? FileManager.default.removeItem(atPath: path) }
  }

  var bytes: [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }
  var part: [UInt8]? { FileManager.default.contents(atPath: path + ".part").map(Array.init) }
  var hasPart: Bool { part != nil }

  /// Leaves what a broken download would.
  func writePart(_ bytes: ArraySlice<UInt8>) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + ".part"))
  }
}
