import CameraProtocol
import EventLoop
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Peers that send what libzmq's own subscribers never send.
  struct HostileSubscriberTests {
    private static let topic = "frame/cam/full/"

    /// Waits until the node has read everything that the peer has sent.
    private func settle(_ peer: RawPeer, _ client: TestClient) async throws {
      try peer.subscribe("frame/cam/raw/")
      _ = try await client.camera {
        $0.streams.contains { $0.name == "raw" && $0.subscribers == 1 }
      }
    }

    private func subscribers(_ client: TestClient) async throws -> UInt32? {
      try await client.camera().streams.first { $0.name == "full" }?.subscribers
    }

    @Test func `The end of a subscription that a peer never had ends no other's stream`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        await client.subscribe(frames: Self.topic)
        _ = try await client.camera { $0.streams.contains { $0.published > 0 } }
        let peer = try RawPeer(test.node.endpoints.frames, as: "SUB")
        for _ in 0..<3 { try peer.unsubscribe(Self.topic) }
        try await settle(peer, client)
        #expect(try await subscribers(client) == 1)
        let published = try await client.camera().streams[0].published
        _ = try await client.camera { $0.streams[0].published > published + 3 }
      }
    }

    @Test func `A peer that subscribes twice counts once, and not at all when it is gone`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        var peer: RawPeer? = try RawPeer(test.node.endpoints.frames, as: "SUB")
        if let peer {
          for _ in 0..<3 { try peer.subscribe(Self.topic) }
          try await settle(peer, client)
        }
        #expect(try await subscribers(client) == 1)
        peer = nil
        _ = try await client.camera { $0.streams.allSatisfy { $0.subscribers == 0 } }
      }
    }

    @Test func `A peer with too many subscriptions is disconnected, and nobody else`()
      async throws
    {
      let lines = Recorded<String>()
      try await TestNode.run(log: .adding(to: lines)) { test in
        let client = test.client
        await client.subscribe(frames: Self.topic)
        _ = try await client.camera { $0.streams.contains { $0.subscribers == 1 } }
        let peer = try RawPeer(test.node.endpoints.frames, as: "SUB")
        for number in 0...1000 { try peer.subscribe("\(number)") }
        await peer.waitForEnd()
        #expect(try await subscribers(client) == 1)
        let reason = "it has more subscriptions than it may have"
        let line = try await lines.first { $0.contains(reason) ? $0 : nil }
        #expect(line == "ended a connection of this machine: \(reason)")
      }
    }

    @Test func `A peer with a subscription longer than any topic is disconnected`() async throws {
      try await TestNode.run { test in
        let peer = try RawPeer(test.node.endpoints.events, as: "SUB")
        try peer.subscribe(String(repeating: "x", count: 200))
        await peer.waitForEnd()
      }
    }

    @Test func `The operator hears of a connection that was ended shortly before the node`()
      async throws
    {
      let lines = Recorded<String>()
      try await TestNode.run(log: .adding(to: lines)) { test in
        let peer = try RawPeer(test.node.endpoints.events, as: "SUB")
        try peer.subscribe(String(repeating: "x", count: 200))
        await peer.waitForEnd()
      }
      #expect(lines.events.contains { $0.hasSuffix(": it subscribes to more than a topic can be") })
    }

    @Test func `A peer that subscribes to many sizes takes no place from others`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let mark = await client.eventCount
        let peer = try RawPeer(test.node.endpoints.frames, as: "SUB")
        for width in 100..<140 { try peer.subscribe("frame/cam/\(width)x100/") }
        try await client.state(from: mark) { $0.streams.filter(\.hasError).count == 24 }
        for stream in ["preview", "full", "raw", "99x99"] {
          await client.subscribe(frames: "frame/cam/\(stream)/")
        }
        _ = try await client.camera { camera in
          camera.streams.filter { $0.published > 0 && $0.subscribers > 0 }.count == 4 + 15
        }
        let streams = try await client.camera().streams
        // The peer's first fifteen sizes have a place, and the client's only one.
        #expect(streams.first { $0.name == "99x99" }?.hasError == false)
        #expect(streams.first { $0.name == "114x100" }?.hasError == false)
        let refused = try #require(streams.first { $0.name == "115x100" })
        #expect(refused.error.code == .busy)
        #expect(refused.published == 0)
      }
    }

    @Test func `A size that loses its subscribers makes room, and its numbers go on`() async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let size = "frame/cam/99x99/"
        await client.subscribe(frames: size)
        _ = try await client.camera { $0.streams.contains { $0.published > 3 } }
        await client.unsubscribe(frames: size)
        _ = try await client.camera { $0.streams.isEmpty }
        let before = try #require(
          await client.frames.last { $0.topic == size }?.header.sequence)
        let count = await client.frames.count
        await client.subscribe(frames: size)
        let after = try await client.arrival { client in
          client.frames.dropFirst(count).first { $0.topic == size }?.header.sequence
        }
        #expect(after > before)
      }
    }
  }
}
