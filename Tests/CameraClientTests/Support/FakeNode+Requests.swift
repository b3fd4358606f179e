import CameraClient
import CameraProtocol
import SwiftProtobuf
import Testing

extension FakeNode {
  /// Checks that the client has sent nothing that the test has not read: its next request is the
  /// one made here.
  nonisolated func expectNoRequest(
    _ requests: inout AsyncStream<Incoming>.Iterator,
    _ bus: CameraBus
  ) async throws {
    async let formats = bus.camera("cam").formats()
    let incoming = await requests.next(isolation: #isolation)
    let next = try #require(incoming)
    #expect(next.request.body == .formats(.with { $0.camera = "cam" }))
    try await reply(to: next, .formats(.init()))
    _ = try await formats
  }
}
