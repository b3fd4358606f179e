import CameraClient
import CameraProtocol
import SwiftProtobuf
import Testing
import ZeroMQ

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

  /// Publishes any parts, as an event and as a frame.
  func publish(_ parts: [[UInt8]]) throws {
    for socket in [sockets.events, sockets.frames] {
      for (index, part) in parts.enumerated() {
        _ = try socket?.send(part, more: index < parts.count - 1)
      }
    }
  }
}
