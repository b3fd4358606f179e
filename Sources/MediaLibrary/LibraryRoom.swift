/// The room on a library's disk.
package struct LibraryRoom: Hashable, Sendable {
  /// The free bytes, including the reserve; nil if the folder is gone or its disk
  /// cannot be read.
  package var freeByteCount: Int?
  /// The bytes that must stay free.
  package var reserve: Int
  /// Whether a photo as large as the largest so far would need the reserve. False if that is not
  /// known.
  package var isFull: Bool
}
