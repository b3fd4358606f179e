import CameraClient
import Words

/// The names that a user may give to files.
extension MediaType {
  /// Whether it has the frame's own bytes or samples, which are never merged or turned.
  var keepsFrame: Bool { self == .dng || self == .raw }

  private var name: String { kind == .movie ? "the movie" : "the photo" }

  /// Extensions that promise a picture or a movie of some kind. Any other extension is the user's
  /// own business.
  private static let mediaExtensions: Set<String> = [
    "avif", "bmp", "dng", "gif", "heic", "heif", "jfif", "jpe", "jpeg", "jpg", "jxl", "pgm", "png",
    "pnm", "ppm", "raw", "tif", "tiff", "webp", "yuv",
    "3gp", "avi", "flv", "h264", "m4v", "mjpeg", "mjpg", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
    "ogv", "ts", "webm", "wmv", "y4m",
  ]

  /// - Throws: For a name that promises another kind of file, because other programs would not open
  ///   it.
  /// - Parameters:
  ///   - canChoose: Whether another kind can be asked for.
  ///   - isProxy: Whether it is a proxy, which has no other kind.
  func requireExtension(
    of path: String, canChoose: Bool = false, isProxy: Bool = false
  ) throws(CommandFailure) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return }
    let end = name[name.index(after: dot)...]
    let known = end.lowercased()
    guard Self.mediaExtensions.contains(known), !fileExtensions.contains(known) else { return }
    let format = Self.photoFormat(of: known).map { ", or ask for --format \($0)" } ?? ""
    let way = isProxy ? ", or add --wait for the photo itself" : canChoose ? format : ""
    throw .usage(
      "\(path) ends in .\(end), but \(isProxy ? "the proxy" : self.name) is \(rawValue): name it "
        + "\(name[..<dot]).\(fileExtension)\(way)")
  }

  /// The format whose files have this extension.
  private static func photoFormat(of end: String) -> PhotoFormat? {
    PhotoFormat.allCases.first { $0.file.fileExtensions.contains(end) }
  }
}
