/// An asset in the making: its file is in `.incoming`, and nothing is listed.
package struct AssetDraft: Hashable, Sendable {
  package let id: AssetID
  package let description: AssetDescription
  /// Where to write the file: an absolute path on the library's disk. What else is written there under a name that
  /// begins so is deleted at the next opening.
  package let path: String
  /// Where it will be, below the library's folder.
  let relativePath: String
  /// Its name in both places.
  let name: String

  init(
    _ id: AssetID,
    _ description: AssetDescription,
    in layout: LibraryLayout
  ) throws(MediaLibraryError) {
    self.id = id
    self.description = description
    relativePath = try layout.relativePath(of: id, description)
    name = String(relativePath.split(separator: "/").last ?? "")
    path = "\(layout.incoming)/\(name)"
  }
}
