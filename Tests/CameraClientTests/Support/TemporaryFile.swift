import TestSupport

/// A path for one test's file. The file and its part are removed with it.
final class TemporaryFile: Sendable {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var path: String { folder.path + "/file" }

  var bytes: [UInt8]? { try? folder.read("file") }
  var part: [UInt8]? { try? folder.read("file.camerabus.part") }
  var hasPart: Bool { part != nil }

  /// Leaves a part as a broken download does.
  func writePart(_ bytes: ArraySlice<UInt8>) throws {
    try folder.write(bytes, to: "file.camerabus.part")
  }
}
