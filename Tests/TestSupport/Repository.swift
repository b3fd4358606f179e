package import Foundation

/// The repository from which the tests were built.
package enum Repository {
  /// The bytes of a file in the repository.
  package static func contents(of path: String) throws -> Data {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    return try Data(contentsOf: root.appending(path: path))
  }
}
