/// The room on a library's disk.
package struct LibraryRoom: Hashable, Sendable {
  /// The free bytes, including the reserve; nil if the disk cannot be read.
  package var freeByteCount: Int?
  /// The bytes that must stay free.
  package var reserve: Int
  /// Whether a photo as large as the largest so far would need the reserve. If the disk cannot be
  /// read, this is the last answer.
  package var isFull: Bool
}
