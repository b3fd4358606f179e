import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  struct ReplayTests {
    private func replay(
      _ client: TestClient, _ ranges: [WireReplayRequest.Range]
    ) async throws -> WireReplayReply {
      let reply = try await client.ask(.replay(.with { $0.ranges = ranges })).last
      guard case .replay(let replay)? = reply?.wire.body else { throw Unexpected(reply) }
      return replay
    }

    private func range(
      _ kind: EventKind, from first: UInt64, to last: UInt64 = 0
    ) -> WireReplayRequest.Range {
      .with {
        $0.topic = Topic.event(camera: "cam", kind: kind).name
        $0.first = first
        $0.last = last
      }
    }

    @Test func `A replay has the same events as a live subscription, byte for byte`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        for value in Int64(1)...5 { try await client.set(["brightness": value]) }
        _ = try await client.photo()
        let heard = try await client.arrival { client -> [Publication]? in
          let events = client.events.filter { $0.topic != Topic.heartbeat.name }
          return events.count(where: { $0.topic == "event/cam/capture/" }) == 5 ? events : nil
        }
        let replayed = try await test.withClient { late in
          try await replay(late, [range(.capture, from: 1), range(.control, from: 1)])
        }
        #expect(!replayed.more)
        #expect(
          replayed.events.map(\.topic) == Array(repeating: "event/cam/control/", count: 5)
            + Array(repeating: "event/cam/capture/", count: 5))
        for event in replayed.events {
          let header = try WireHeader(serializedBytes: event.header)
          let original = try #require(
            heard.first { $0.topic == event.topic && $0.header.sequence == header.sequence })
          #expect(original.header == header)
          #expect(original.payload == Array(event.payload))
        }
      }
    }

    @Test func `A replay has only the requested numbers, and does not wait for future ones`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        for value in Int64(1)...5 { try await client.set(["brightness": value]) }
        let replayed = try await replay(client, [range(.control, from: 2, to: 3)])
        let numbers = try replayed.events.map {
          try WireHeader(serializedBytes: $0.header).sequence
        }
        #expect(numbers == [2, 3])
        let beyond = try await replay(client, [range(.control, from: 6, to: 9)])
        #expect(beyond == WireReplayReply())
      }
    }
  }
}
