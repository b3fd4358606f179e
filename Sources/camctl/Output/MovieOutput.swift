import CameraClient
import Words

/// Prints a movie, and downloads it first where that is wanted.
struct MovieOutput {
  private let options: BusOptions

  init(_ options: BusOptions) {
    self.options = options
  }

  func deliver(_ movie: Movie, from bus: CameraBus, to output: OutputPattern?) async throws {
    var report = MovieReport(movie)
    if let output {
      do {
        report.file = try await LibraryDownload(options).download(
          movie.asset, from: bus, to: output
        ).path
      } catch {
        var failure = CommandFailure(error)
        failure.message +=
          "; the movie is in the library: camctl download \(movie.asset.id)"
        throw failure
      }
    }
    if options.json {
      JSONLine.print(report)
    } else {
      let words = options.quiet ? nil : report.words
      if let file = report.file {
        StandardOutput.write(path: file, words)
      } else {
        // The node's words, which may be anything.
        let (path, id) = (movie.asset.path, movie.asset.id)
        StandardOutput.write(line: words.map { "\(path) (asset \(id)): \($0)" } ?? path)
      }
    }
  }
}

/// What `record --json` prints of a movie.
private struct MovieReport: Encodable {
  var recordingID: Identifier
  var asset: Asset
  /// Of a recording in segments or clips.
  var files: Int?
  var frames: UInt64
  var dropped: UInt64?
  var reason: Movie.EndReason?
  var file: String?
  var sound: MovieSound?

  init(_ movie: Movie) {
    recordingID = movie.recordingID
    asset = movie.asset
    files = movie.files > 1 ? movie.files : nil
    frames = movie.frames
    dropped = movie.dropped
    reason = movie.reason
    sound = movie.sound
  }

  var words: String {
    let duration = asset.duration ?? .zero
    let own = files == nil ? frames : asset.frames ?? 0
    var words = "\(own.counted("frame")), \(duration.words), \(asset.byteCount.byteWords)"
    if let files {
      words +=
        "; the last of \(files) files with \(frames.counted("frame")) in all: camctl assets --request \(recordingID)"
    }
    if let dropped { words += ", \(dropped) dropped" }
    if let sound {
      words += ", \(sound.codec) sound"
      if sound.silent > .zero { words += " of which \(sound.silent.words) are silent" }
    }
    if let reason { words += ", ended: \(reason.words)" }
    return words
  }
}
