/// Whether a library can store more.
package struct LibraryRoom: Hashable, Sendable {
  /// The free bytes of its disk, including the reserve; nil if the folder is gone or its disk
  /// cannot be read.
  package var freeByteCount: Int?
  /// The bytes that must stay free.
  package var reserve: Int
  /// Why nothing can be stored: the error of a photo that is stored now.
  package var error: MediaLibraryError?
  /// Why nothing of single cameras can be stored, because of their own folders.
  package var cameraErrors: [String: MediaLibraryError] = [:]

  /// Whether there is no room for anything, however small.
  package var isFull: Bool { freeByteCount.map { $0 < reserve } ?? false }

  /// The error of the library, or of the first camera that has one.
  package var firstError: MediaLibraryError? {
    error ?? cameraErrors.min { $0.key < $1.key }?.value
  }

  /// Why nothing of this camera can be stored.
  package func error(ofCamera name: String) -> MediaLibraryError? { error ?? cameraErrors[name] }
}

/// The size of a library's contents.
package struct LibraryTotals: Hashable, Sendable {
  /// The number of photos and movies.
  package let count: Int
  /// The total size of their files in bytes.
  package let byteCount: Int
}
