import CameraClient
import Testing

/// Closing a connection ends everything that waits for it.
@Suite(.timeLimit(.minutes(1)))
struct ClosingTests {
  @Test func `Readiness on a closed connection is unknown, and its updates end at once`()
    async throws
  {
    try await withFakeNode { _, bus in
      let camera = bus.camera("cam")
      await bus.close()
      #expect(camera.readiness == nil)
      var updates = camera.readinessUpdates.makeAsyncIterator()
      #expect(await updates.next() == nil)
    }
  }

  @Test func `Closing the connection makes readiness unknown and ends its updates`() async throws {
    try await withFakeNode { _, bus in
      let camera = bus.camera("cam")
      var updates = camera.readinessUpdates.makeAsyncIterator()
      #expect(await updates.next() == .ready)
      await bus.close()
      #expect(await updates.next() == nil)
      #expect(camera.readiness == nil)
    }
  }
}
