/// Something out of the ordinary that ``MediaLibrary/open()`` found and dealt with.
package enum LibraryFinding: Hashable, Sendable, CustomStringConvertible {
  /// A movie whose recording never ended, moved here untouched; paths are below the library's folder.
  case recoveredMovie(path: String)
  /// The beginning of a photo that was never acknowledged, deleted.
  case deletedPhoto(path: String)
  /// Files that went away since the last time; they are listed no more.
  case missing(count: Int, first: String)
  /// Files that came back since the last time; they are listed again.
  case returned(count: Int, first: String)
  /// Files among the photos and movies that the index does not know, left alone.
  case unlisted(count: Int, first: String)

  package var description: String {
    switch self {
    case .recoveredMovie(let path):
      "an unfinished movie was moved to \(path): play it up to where it was cut, or delete it"
    case .deletedPhoto(let path):
      "the beginning of a photo that was never acknowledged was deleted: \(path)"
    case .missing(let count, let first):
      "\(count) files are gone, \(first) first: put them back, or remove them from the library"
    case .returned(let count, let first):
      "\(count) files are back, \(first) first"
    case .unlisted(let count, let first):
      "\(count) files are not in the index, \(first) first: keep, move or delete them yourself"
    }
  }
}
