/// The size of a library's contents.
package struct LibraryTotals: Hashable, Sendable {
  /// The number of photos and movies.
  package let count: Int
  /// The total size of their files in bytes.
  package let byteCount: Int
}
