import CameraProtocol
import Glibc
import Imaging
import MediaLibrary
import OperatingSystem
import Recording
import Words

/// What a file of the library says about itself.
struct FileFacts: Sendable {
  var size: ImageSize
  var labels: AssetLabels
  /// Nil for a photo.
  var movie: MovieContents?

  /// Nil for a file that does not say enough, or cannot be read.
  /// - Parameter goesOn: Asked before every frame of a movie.
  init?(_ file: UnlistedFile, while goesOn: () -> Bool) {
    guard let form = file.mediaType.form else {
      guard file.mediaType.kind == .movie,
        let movie = try? MovieContents(ofFileAt: file.path, while: goesOn)
      else { return nil }
      (size, self.movie) = (movie.size, movie)
      // A movie without a name has its camera's as its title.
      labels = AssetLabels(name: movie.title == file.camera ? "" : movie.title)
      labels.keepAllowed()
      return
    }
    let count = PhotoFileFacts.byteCount
    guard let opened = try? FileDescriptor.openFile(file.path),
      let head = try? opened.read(at: 0, count: min(count, file.byteCount)),
      let tail = try? opened.read(at: max(0, file.byteCount - count), count: count),
      let photo = PhotoFileFacts(form, head: head, tail: tail)
    else { return nil }
    size = photo.size
    labels = AssetLabels(name: photo.description ?? "", tags: photo.keywords)
    labels.keepAllowed()
  }
}

extension AssetLabels {
  /// Leaves out what a request could not give: the file may be somebody else's.
  fileprivate mutating func keepAllowed() {
    if WireRequest.labelsFlaw(name: name, tags: []) != nil { name = "" }
    if WireRequest.labelsFlaw(name: name, tags: tags) != nil { tags = [] }
  }
}

extension MediaType {
  /// Nil for movies, and for files that do not say their size.
  fileprivate var form: PhotoFileFacts.Form? {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .tiff, .dng: .tiff
    case .avif, .heic: .heif
    case .raw, .matroska, .mp4: nil
    }
  }
}

extension MediaLibrary {
  func adopt(_ file: UnlistedFile, _ facts: FileFacts) throws(MediaLibraryError) -> Asset {
    try adopt(
      file, size: (facts.size.width, facts.size.height), createdAt: facts.movie?.startedAt,
      movie: facts.movie.map { ($0.duration, $0.frames) }, facts.labels)
  }
}
