import Words

/// Something unusual that ``MediaLibrary/open()`` found and handled. Paths are below the library's
/// folder.
package enum LibraryFinding: Hashable, Sendable, CustomStringConvertible {
  /// An earlier version's index, which was changed for this version. A copy was kept here.
  case migrated(copy: String)
  /// The index could not be read. It was kept under this name, and a new one was begun.
  case damagedIndex(copy: String)
  /// A movie whose recording never ended and that the index does not know. It was moved here
  /// unchanged.
  case setAside(path: String)
  /// The beginning of a file that was never acknowledged. It was deleted.
  case deletedBeginning(path: String)
  /// Files that the library did not write, among those that it is writing. They were left alone.
  case foreign(count: Int, first: String)
  /// An asset whose storing was cut off when its bytes were complete. It is listed.
  case finishedStoring(path: String)
  /// The library's folder or its index was gone while the library was open, and is there again,
  /// perhaps the same. Assets whose files are missing do not count.
  case replaced(folder: String, assetCount: Int)
  /// An asset whose deletion was cut off. It was deleted.
  case finishedDeletion(path: String)
  /// Files that have disappeared since the library was open last.
  case missing(count: Int, first: String)
  /// Files that have returned since the library was open last.
  case returned(count: Int, first: String)
  /// Files beside the photos and movies that the index does not know. They were left alone.
  case unlisted(count: Int, first: String)

  package var description: String {
    switch self {
    case .migrated(let copy):
      "the index was changed for this version: an earlier version needs \(copy) in place of it"
    case .damagedIndex(let copy):
      "the index was damaged, and a new one was begun beside \(copy): camctl assets repair lists the files "
        + "again, but protections are lost"
    case .setAside(let path):
      "an unfinished movie that is not in the index was moved to \(path): play it up to where it was cut, "
        + "or delete it"
    case .deletedBeginning(let path):
      "the beginning of a file that was never acknowledged was deleted: \(path)"
    case .foreign(let count, let first):
      "\(count) files in the folder of beginnings are not the library's, \(first) first: move them away"
    case .finishedStoring(let path):
      "\(path) was complete when the node was killed, and is in the library now"
    case .replaced(let folder, let assetCount):
      "the folder \(folder), or its index, was gone and is there again: it has \(assetCount.counted("asset"))"
    case .finishedDeletion(let path):
      "the deletion of \(path) was cut off and is finished now"
    case .missing(let count, let first):
      "\(count) files are gone, \(first) first: put them back, or delete the assets (camctl delete)"
    case .returned(let count, let first):
      "\(count) files are back, \(first) first"
    case .unlisted(let count, let first):
      "\(count) files are not in the index, \(first) first: camctl assets repair lists those that the node made"
    }
  }
}
