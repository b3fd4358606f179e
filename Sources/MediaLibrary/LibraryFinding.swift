/// Something out of the ordinary that ``MediaLibrary/open()`` found and dealt with.
package enum LibraryFinding: Hashable, Sendable, CustomStringConvertible {
  /// A movie whose recording never ended and of which nothing is known, moved here untouched; paths are below the
  /// library's folder.
  case setAside(path: String)
  /// The beginning of a file that was never acknowledged, deleted.
  case deletedBeginning(path: String)
  /// Files that went away since the last time; they are listed no more.
  case missing(count: Int, first: String)
  /// Files that came back since the last time; they are listed again.
  case returned(count: Int, first: String)
  /// Files among the photos and movies that the index does not know, left alone.
  case unlisted(count: Int, first: String)

  package var description: String {
    switch self {
    case .setAside(let path):
      "an unfinished movie that is not in the index was moved to \(path): play it up to where it was cut, "
        + "or delete it"
    case .deletedBeginning(let path):
      "the beginning of a file that was never acknowledged was deleted: \(path)"
    case .missing(let count, let first):
      "\(count) files are gone, \(first) first: put them back, or remove them from the library"
    case .returned(let count, let first):
      "\(count) files are back, \(first) first"
    case .unlisted(let count, let first):
      "\(count) files are not in the index, \(first) first: keep, move or delete them yourself"
    }
  }
}
