/// A kind of file that nodes make.
package enum MediaType: String, CaseIterable, Sendable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case tiff = "image/tiff"
  case dng = "image/x-adobe-dng"
  case avif = "image/avif"
  case heic = "image/heic"
  /// The bytes that a camera delivered.
  case raw = "image/x-raw"
  case matroska = "video/x-matroska"
  case mp4 = "video/mp4"

  /// The beginning of the names of all types of this kind.
  package enum Kind: String, Sendable {
    case photo = "image"
    case movie = "video"
  }

  /// The suffixes that are right for a file's name, without the dot, the usual one first.
  package var fileExtensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
    case .png: ["png"]
    case .tiff: ["tif", "tiff"]
    case .dng: ["dng"]
    case .avif: ["avif"]
    case .heic: ["heic", "heif"]
    case .raw: ["raw", "yuv"]
    case .matroska: ["mkv"]
    case .mp4: ["mp4", "m4v"]
    }
  }

  /// Whether it is a picture or a movie.
  package var kind: Kind { rawValue.hasPrefix(Kind.movie.rawValue) ? .movie : .photo }

  /// The usual one of them.
  package var fileExtension: String { fileExtensions[0] }
}
