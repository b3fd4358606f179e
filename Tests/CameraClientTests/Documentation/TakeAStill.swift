import CameraClient

/// The example of the README and of "Getting a still", with its endpoint and its file as
/// parameters.
func takeAStill(
  node: String, file: String, print: @escaping @Sendable (String) -> Void
) async throws {
  // begin
  try await withCameraBus(node) { bus in
    let photo = try await bus.camera("cam").capture(.past(.milliseconds(200)))
    try await photo.write(to: file)
    if let shot = photo.resolved {
      print("frame at \(shot.timestamp), \(shot.offset) off")
      print("exposed between \(shot.offsetBounds.earliest) and \(shot.offsetBounds.latest)")
    }
  }
  // end
}

/// The example of errors in "Getting a still", with its endpoint and its file as parameters.
func takeAStillOrSayWhyNot(
  node: String, file: String, print: @escaping @Sendable (CameraBusError) -> Void
) async throws {
  // begin
  do {
    try await withCameraBus(node) { bus in
      let photo = try await bus.camera("cam").capture()
      try await photo.write(to: file)
    }
  } catch let error as CameraBusError {
    print(error)
  }
  // end
}
