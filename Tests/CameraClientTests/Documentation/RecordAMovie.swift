import CameraClient

/// The example of "Recording movies", with its endpoint and its file as parameters.
func recordAMovie(
  node: String, file: String, print: @escaping @Sendable (String) -> Void
) async throws {
  // begin
  try await withCameraBus(node) { bus in
    let camera = try bus.camera("cam")
    let recording = try await camera.startRecording(maximumDuration: .seconds(5))
    let movie = try await recording.movie()
    try await bus.download(movie.asset, to: file)
    print("\(movie.frames) frames")
  }
  // end
}
