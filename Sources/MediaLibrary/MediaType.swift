/// The kind of an asset's file.
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

  /// The beginning of the names of all types of this kind.
  package enum Kind: String, Sendable {
    case photo = "image"
    case movie = "video"
  }

  /// The suffix of a file's name, without the dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .tiff: "tif"
    case .dng: "dng"
    case .avif: "avif"
    case .heic: "heic"
    case .raw: "raw"
    case .matroska: "mkv"
    }
  }
}
