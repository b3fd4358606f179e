/// What kind of file an asset is.
package enum MediaType: String, CaseIterable, Sendable {
  case jpeg = "image/jpeg"
  case matroska = "video/x-matroska"

  /// The end of a file's name, without the dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .matroska: "mkv"
    }
  }
}
