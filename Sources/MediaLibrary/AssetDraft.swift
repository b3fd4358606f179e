/// An asset that is being made. Its file is in `.incoming`, and the index does not list it yet.
package struct AssetDraft: Hashable, Sendable {
  package let id: AssetID
  package let description: AssetDescription
  /// Whether the end of the movie's recording was reported already.
  package let hasEnded: Bool
  /// The absolute path at which to write the file. Other files whose names begin with this path are
  /// deleted when the library is opened the next time.
  package let path: String
  /// The asset's later path, below the library's folder.
  let relativePath: String
  /// The file's name, which is the same in both places.
  let name: String

  init(
    _ id: AssetID,
    _ description: AssetDescription,
    hasEnded: Bool = false,
    in layout: LibraryLayout
  ) throws(MediaLibraryError) {
    self.id = id
    self.description = description
    self.hasEnded = hasEnded
    relativePath = try layout.relativePath(of: id, description)
    name = String(relativePath.split(separator: "/").last ?? "")
    path = "\(layout.incoming)/\(name)"
  }
}
