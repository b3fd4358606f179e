import CameraClient

/// The documentation's example, with its endpoint and its file as parameters.
func takeAStill(node: String, file: String, print: (String) -> Void) async throws {
  // begin
  let bus = try CameraBus(node)
  let camera = bus.camera("cam")
  let photo = try await camera.capture(.past(.milliseconds(200)))
  try photo.write(to: file)
  let exposure = photo.resolved
  print("exposed at \(exposure.timestamp.text)")
  print("\(exposure.offsetNanoseconds) ns off, ±\(exposure.uncertaintyNanoseconds) ns")
  // end
}
