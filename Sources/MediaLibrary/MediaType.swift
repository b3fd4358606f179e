/// The kind of an asset's file.
package enum MediaType: String, CaseIterable, Sendable {
  case jpeg = "image/jpeg"
  case matroska = "video/x-matroska"

  /// The suffix of a file's name, without the dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .matroska: "mkv"
    }
  }
}
