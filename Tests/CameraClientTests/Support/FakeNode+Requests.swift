import CameraClient
import CameraProtocol
import Foundation
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

  /// Replays events that differ only in their numbers.
  func replay(
    _ topic: Topic,
    _ numbers: [UInt64],
    _ event: WireEvent = EventTests.state(.ready),
    hasMore: Bool = false,
    to incoming: Incoming
  ) throws {
    let body = WireReplayReply.with {
      $0.more = hasMore
      $0.events = numbers.map { number in
        .with {
          $0.topic = topic.name
          $0.header = Data(header(number).bytes)
          $0.payload = Data(event.bytes)
        }
      }
    }
    try reply(to: incoming, .replay(body))
  }
}
