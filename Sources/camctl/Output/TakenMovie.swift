import CameraClient
import Words

extension TakenPhoto {
  /// Writes the movie of a live photo beside it: "still.mp4" beside "still.jpg".
  /// - Returns: Its path; nil if there is none.
  func writeMovie(
    beside photoPath: String, from bus: CameraBus, overwrites: Bool
  ) async throws -> String? {
    guard let asset = photo.movie?.asset else { return nil }
    let path = AssetPart.live.path(beside: photoPath)
    _ = try await bus.download(asset, to: path, overwrites: overwrites)
    return path
  }

  /// "640x480, 3.01 s, 90 frames, 1.2 MB; the photo is at 1.5 s".
  var movieWords: String {
    guard let movie = photo.movie, let asset = movie.asset else { return "" }
    let place = movie.photoTime.map { "; the photo is at \($0.words)" } ?? ""
    let frames = asset.frames.map { ", \($0) frames" } ?? ""
    return
      "\(asset.size), \(asset.duration?.words ?? "")\(frames), \(UInt64(asset.byteCount).byteWords)\(place)"
  }
}

/// What `capture --live --json` prints of a photo's movie.
struct LiveMovieReport: Encodable {
  /// Where it was written; nil if there is none.
  var file: String?
  var asset: Asset?
  var error: Problem?
  var photoTimeNanoseconds: Duration?

  init(_ movie: LiveMovie, at path: String?) {
    file = path
    asset = movie.asset
    error = movie.error
    photoTimeNanoseconds = movie.photoTime
  }
}
