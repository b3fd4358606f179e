import Foundation

/// A folder that is removed with all that is in it when this goes.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "v4l2-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String, contents: String = "") throws -> String {
    let file = "\(path)/\(name)"
    try makeParent(of: file)
    try Data(contents.utf8).write(to: URL(filePath: file))
    return file
  }

  func link(_ name: String, to target: String) throws {
    let link = "\(path)/\(name)"
    try makeParent(of: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
  }

  private func makeParent(of file: String) throws {
    let parent = URL(filePath: file).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
  }
}
