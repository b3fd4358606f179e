import CameraClient

/// The first example of "Following events", with its endpoint as a parameter.
func followStates(node: String, print: @escaping @Sendable (String) -> Void) async throws {
  // begin
  try await withCameraBus(node) { bus in
    for try await status in bus.events(of: .states) {
      print("\(status.name) is \(status.state), \(status.readiness)")
    }
  }
  // end
}

/// The second example of "Following events", with its endpoint as a parameter.
func followEverything(node: String, print: @escaping @Sendable (String) -> Void) async throws {
  // begin
  try await withCameraBus(node) { bus in
    for try await event in bus.events(includingHistory: true) {
      switch event {
      case .event(let event): print("\(event)")
      case .gap(let missed, let camera, _): print("\(missed) events of \(camera) are lost")
      case .disconnected, .nodeRestarted: print("\(event)")
      default: break
      }
    }
  }
  // end
}
