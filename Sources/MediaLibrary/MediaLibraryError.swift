/// A failure of the library: a code for programs, and a sentence that says what to do.
package struct MediaLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Later versions may add codes, so a switch over codes needs a default.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private init(_ description: String) { self.description = description }

    /// The disk is full (ENOSPC), or would go below the reserve.
    package static let storageFull = Code("storageFull")
    /// The user's share of the disk is used up (EDQUOT).
    package static let quotaExceeded = Code("quotaExceeded")
    /// The folder may not be read or written (EACCES, EPERM).
    package static let permissionDenied = Code("permissionDenied")
    /// The disk is mounted read-only (EROFS).
    package static let readOnly = Code("readOnly")
    /// A file has the name that a folder must have (ENOTDIR, EEXIST).
    package static let notAFolder = Code("notAFolder")
    /// Another process uses the folder, or another library of this process does.
    package static let inUse = Code("inUse")
    /// The index was written by a later version.
    package static let newerVersion = Code("newerVersion")
    /// The index is not an SQLite database, or it is damaged.
    package static let indexDamaged = Code("indexDamaged")
    package static let noSuchAsset = Code("noSuchAsset")
    /// The asset is in the index, but its file is gone.
    package static let assetMissing = Code("assetMissing")
    /// The asset's file has other bytes than those that were stored.
    package static let assetChanged = Code("assetChanged")
    /// The asset is protected from deletion.
    package static let assetProtected = Code("assetProtected")
    package static let invalidArgument = Code("invalidArgument")
    /// The library is not open.
    package static let notOpen = Code("notOpen")
    /// The disk or the index failed in a way that has no code of its own.
    package static let storageFailed = Code("storageFailed")
  }

  package let code: Code
  /// A sentence for a person, with the remedy.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}

extension MediaLibraryError {
  /// A folder without a library is where the library was.
  static func isEmpty(_ folder: String) -> MediaLibraryError {
    MediaLibraryError(
      .storageFailed,
      "a folder without a library has taken the place of the library \(folder): put that back, mount "
        + "its disk, or restart the node to begin a new one")
  }
}
