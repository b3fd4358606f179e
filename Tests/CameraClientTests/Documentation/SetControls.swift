import CameraClient

/// The example of "Using controls", with its endpoint as a parameter.
func setControls(node: String, print: @escaping @Sendable (String) -> Void) async throws {
  // begin
  try await withCameraBus(node) { bus in
    let camera = try bus.camera("cam")
    for control in try await camera.controls() where !control.isReadOnly {
      print("\(control), \(control.minimum) to \(control.maximum)")
    }
    if let brightness = try await camera.set("brightness", to: 128) {
      print("the brightness is \(brightness)")
    }
  }
  // end
}
