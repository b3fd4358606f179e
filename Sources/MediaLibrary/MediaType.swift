/// The kind of an asset's file.
package enum MediaType: String, CaseIterable, Sendable {
  case jpeg = "image/jpeg"
  case matroska = "video/x-matroska"

  /// The beginning of the names of all types of this kind.
  package enum Kind: String, Sendable {
    case photo = "image"
    case movie = "video"
  }

  /// The suffix of a file's name, without the dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .matroska: "mkv"
    }
  }
}
