package import Foundation

/// The repository that the tests were built in.
package enum Repository {
  /// The bytes of one of its files.
  package static func contents(of path: String) throws -> Data {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    return try Data(contentsOf: root.appending(path: path))
  }
}
