import CameraClient
import Testing

/// `withCameraBus` closes its connection however its body ends.
@Suite(.timeLimit(.minutes(5)))
struct ScopeTests {
  private struct Stop: Error {}

  @Test func `A connection is closed when its body returns`() async throws {
    try await withFakeNode { node, _ in
      let (bus, name) = try await withCameraBus(await node.control) { bus in
        (bus, try await bus.status().name)
      }
      #expect(name == "fake")
      let error = await failure { () throws(CameraBusError) in _ = try await bus.status() }
      #expect(error?.code == .closed)
    }
  }

  @Test func `A connection is closed when its body throws`() async throws {
    try await withFakeNode { node, _ in
      let endpoint = await node.control
      var used: CameraBus?
      await #expect(throws: Stop.self) {
        try await withCameraBus(endpoint) { bus in
          used = bus
          throw Stop()
        }
      }
      let bus = try #require(used)
      let error = await failure { () throws(CameraBusError) in _ = try await bus.status() }
      #expect(error?.code == .closed)
    }
  }

  @Test func `A text that is no endpoint is refused before the body runs`() async {
    await #expect(throws: CameraBusError.self) {
      try await withCameraBus("nowhere") { _ in Issue.record("the body runs") }
    }
  }
}
