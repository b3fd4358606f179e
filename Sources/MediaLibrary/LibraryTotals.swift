/// How much a library holds.
package struct LibraryTotals: Hashable, Sendable {
  /// Photos and movies.
  package let count: Int
  /// The bytes of their files together.
  package let byteCount: Int
}
