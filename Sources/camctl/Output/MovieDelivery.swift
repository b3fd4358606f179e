import CameraClient

/// Tells of a movie that ended, and fetches it where that is wanted.
struct MovieDelivery {
  private let options: BusOptions

  init(_ options: BusOptions) {
    self.options = options
  }

  func deliver(_ movie: MovieReport, from bus: CameraBus, to output: OutputPattern?) async throws {
    guard let asset = movie.asset else {
      throw CameraBusError(
        .frameUnavailable,
        "no frame came while it recorded, so there is no movie: camctl status tells how the camera is"
      )
    }
    var movie = movie
    if let output {
      movie.file = try await Delivery(options).download(asset, from: bus, to: output)
    }
    if options.json {
      JSONLine.print(movie)
    } else {
      StandardOutput.write(line: movie.words(asset))
    }
  }
}

/// A movie that ended. The field names are its JSON form.
struct MovieReport: Encodable {
  var recordingID: Identifier
  var asset: Asset?
  var frames: UInt64
  /// Nil, as the reason, when the end was not heard of and only the library tells of the movie.
  var dropped: UInt64?
  var reason: Movie.EndReason?
  var file: String?

  init(_ movie: Movie) {
    recordingID = movie.recordingID
    asset = movie.asset
    frames = movie.frames
    dropped = movie.dropped
    reason = movie.reason
  }

  init(_ asset: Asset, of recording: Recording) {
    recordingID = recording.id
    self.asset = asset
    frames = asset.frames
  }

  fileprivate func words(_ asset: Asset) -> String {
    let duration = Duration.nanoseconds(asset.durationNanoseconds).words
    var words = "\(file ?? "\(asset.path) (asset \(asset.id))"): \(frames) frames, \(duration), "
    words += asset.byteCount.byteWords
    if let dropped { words += ", \(dropped) dropped" }
    if let reason { words += ", ended: \(reason.rawValue)" }
    return words
  }
}
