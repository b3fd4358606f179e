import CameraClient

/// The kinds of files that nodes make, by their media types.
enum FileKind: String, CaseIterable {
  case jpeg = "image/jpeg"
  case matroska = "video/x-matroska"

  /// The extensions that are right for it, the usual one first.
  private var extensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
    case .matroska: ["mkv"]
    }
  }

  private var name: String {
    switch self {
    case .jpeg: "a photo"
    case .matroska: "a movie"
    }
  }

  /// Extensions that promise a picture or a movie of some kind. Any other extension is the user's
  /// own business.
  private static let mediaExtensions: Set<String> = [
    "avif", "bmp", "dng", "gif", "heic", "heif", "jfif", "jpe", "jpeg", "jpg", "jxl", "pgm", "png",
    "pnm", "ppm", "raw", "tif", "tiff", "webp", "yuv",
    "3gp", "avi", "flv", "h264", "m4v", "mjpeg", "mjpg", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
    "ogv", "ts", "webm", "wmv", "y4m",
  ]

  /// - Throws: for a name that promises another kind of file, because other programs would not open
  ///   it.
  func requireExtension(of path: String) throws(CommandFailure) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return }
    let end = name[name.index(after: dot)...]
    let known = end.lowercased()
    guard Self.mediaExtensions.contains(known), !extensions.contains(known) else { return }
    throw .usage(
      "\(path) ends in .\(end), but \(self.name) is \(rawValue): name it \(name[..<dot]).\(extensions[0])"
    )
  }
}
