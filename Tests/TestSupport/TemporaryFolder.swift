import Foundation
import OperatingSystem

/// A temporary folder, which is deleted with its content when its last reference is released.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "camerabus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path(percentEncoded: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The sorted names of the folder's content.
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  package func read(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: url(name)))
  }

  /// Writes a file and creates its parent folders.
  /// - Returns: The file's path.
  @discardableResult
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try makeParent(of: name)
    try Data(bytes).write(to: url(name))
    return "\(path)/\(name)"
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(text.utf8, to: name)
  }

  /// Makes a symbolic link and its parent folders.
  package func link(_ name: String, to target: String) throws {
    try makeParent(of: name)
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)", withDestinationPath: target)
  }

  /// Makes a folder with a mode, and its parent folders.
  package func makeFolder(_ name: String, mode: Int) throws {
    let path = "\(path)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.setAttributes(
      [.posixPermissions: NSNumber(value: mode)], ofItemAtPath: path)
  }

  /// Makes a named pipe.
  /// - Returns: Its path.
  package func makePipe(_ name: String) throws -> String {
    let pipe = "\(path)/\(name)"
    try systemCall("mkfifo") { unsafe mkfifo(pipe, 0o600) }
    return pipe
  }

  private func url(_ name: String) -> URL { URL(filePath: "\(path)/\(name)") }

  private func makeParent(of name: String) throws {
    try FileManager.default.createDirectory(
      at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
  }
}
