import CameraClient
import Testing

/// A call or a sequence that waits.
enum Waiting: String, CaseIterable {
  case status, photo, recording, controls, assets, events, states, frames

  /// - Parameter begin: Is called before the wait.
  func end(on bus: CameraBus, _ begin: () -> Void) async -> CameraBusError? {
    await failure { () throws(CameraBusError) in
      let camera = try bus.camera("cam")
      begin()
      switch self {
      case .status: _ = try await bus.status()
      case .photo: _ = try await camera.capture()
      case .recording: _ = try await camera.startRecording()
      case .controls: _ = try await camera.controls()
      case .assets: _ = try await bus.assets()
      case .events: for try await _ in bus.events() {}
      case .states: for try await _ in camera.events(of: .states) {}
      case .frames: for try await _ in camera.frames() {}
      }
    }
  }
}

/// Closing a connection ends everything that waits for it.
@Suite(.timeLimit(.minutes(5)))
struct ClosingTests {
  @Test func `Readiness on a closed connection is unknown, and its updates end at once`()
    async throws
  {
    try await withFakeNode { _, bus in
      let camera = try bus.camera("cam")
      await bus.close()
      #expect(camera.readiness == nil)
      var updates = camera.readinessUpdates.makeAsyncIterator()
      #expect(await updates.next() == nil)
    }
  }

  @Test(arguments: Waiting.allCases)
  func `Closing the connection ends what waits for a node that is gone`(waiting: Waiting)
    async throws
  {
    try await withFakeNode { node, bus in
      // A silent node sends no heartbeats and answers nothing: to the client it is gone.
      await node.stopAnsweringStatus()
      let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
      let ended = Task { await waiting.end(on: bus) { continuation.finish() } }
      for await _ in begun {}
      await bus.close()
      #expect(await ended.value?.code == .closed)
    }
  }

  @Test func `Closing the connection makes readiness unknown and ends its updates`() async throws {
    try await withFakeNode { _, bus in
      let camera = try bus.camera("cam")
      var updates = camera.readinessUpdates.makeAsyncIterator()
      #expect(await updates.next() == .ready)
      await bus.close()
      #expect(await updates.next() == nil)
      #expect(camera.readiness == nil)
    }
  }
}
