import CameraProtocol
import Glibc
import SwiftProtobuf
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

extension NodeTests {
  /// Peers that want the memory and the descriptors of the node for themselves.
  struct HostileConnectionTests {
    private enum Target: CaseIterable, Sendable { case control, events, frames }

    private func endpoint(_ target: Target, of node: NodeEndpoints) -> String {
      switch target {
      case .control: node.control
      case .events: node.events
      case .frames: node.frames
      }
    }

    /// Sends parts of a message that never ends, until the node ends the connection.
    /// - Returns: Whether it ended before 200 MB.
    private func flood(_ endpoint: String, _ target: Target, part byteCount: Int) throws -> Bool {
      let peer = try RawPeer(endpoint, as: target == .control ? "DEALER" : "SUB")
      let header: [UInt8] = byteCount > 255 ? [3] : [1]
      let length = (0..<8).map { UInt8(truncatingIfNeeded: byteCount >> (56 - 8 * $0)) }
      let part =
        header + (byteCount > 255 ? length : [UInt8(byteCount)])
        + [UInt8](repeating: 2, count: byteCount)
      let many = Array(repeatElement(part, count: 100_000 / part.count + 1).joined())
      for _ in 0..<2000 {
        do { try peer.send(many) } catch { return true }
      }
      return false
    }

    @Test(
      arguments: [
        (Target.control, 100_000), (.control, 1000), (.control, 0), (.events, 100), (.events, 0),
        (.frames, 100),
      ])
    private func `A message without an end costs its sender the connection, and nobody else`(
      target: Target, part: Int
    ) async throws {
      try await TestNode.run { test in
        let client = test.client
        await client.subscribe(frames: "frame/cam/full/")
        _ = try await client.camera { $0.streams.contains { $0.published > 0 } }
        #expect(try flood(endpoint(target, of: test.node.endpoints), target, part: part))
        let published = try await client.camera().streams[0].published
        _ = try await client.camera { $0.streams[0].published > published + 3 }
        #expect(try await client.camera().streams[0].subscribers == 1)
      }
    }

    @Test func `A request of nine parts is dropped, and one of hundred ends the connection`()
      async throws
    {
      try await TestNode.run { test in
        let peer = try RawPeer(test.node.endpoints.control, as: "DEALER")
        for index in 0..<9 { try peer.send(message: [], more: index < 8) }
        while try await test.client.status().malformedRequests == 0 {}
        let part = RawPeer.frame([], more: true)
        try peer.send(Array(repeatElement(part, count: 100).joined()))
        await peer.waitForEnd()
        #expect(try await test.client.status().malformedRequests == 1)
      }
    }

    @Test(arguments: [100_000, 0])
    func `A message without an end over ipc costs its sender the connection`(part: Int)
      async throws
    {
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.ipcFolder = configuration.library
      }
      try await TestNode.run(configure: configure) { test in
        #expect(try flood("ipc://\(test.library)/control", .control, part: part))
        _ = try await test.client.photo()
      }
    }

    @Test func `A slow request over ipc keeps its connection while the process grows`() async throws
    {
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.ipcFolder = configuration.library
      }
      try await TestNode.run(configure: configure) { test in
        let peer = try RawPeer("ipc://\(test.library)/control", as: "DEALER")
        let connection = try #require(PeerConnection(descriptor: peer.descriptor))
        let request = WireRequest.with {
          $0.id = RequestID.random().data
          $0.status = .init()
        }
        var others: [[UInt8]] = []
        let parts =
          RawPeer.frame(Framing.signature, more: true) + RawPeer.frame(request.bytes, more: false)
        for byte in parts {
          try peer.send([byte])
          while connection.backlog?.waiting != 0 { sched_yield() }
          others.append([UInt8](repeating: 1, count: 8 << 20))
        }
        #expect(try peer.receive(300).count == 300, "a status is longer")
        withExtendedLifetime(others) {}
      }
    }

    @Test func `Whole requests of any number keep their connection`() async throws {
      try await TestNode.run { test in
        // Together much more than may wait, but nothing of it waits for long.
        let topic = "event/cam/state/" + String(repeating: "x", count: 200)
        let request = WireReplayRequest.with { body in
          body.ranges = (0..<64).map { _ in
            .with {
              $0.topic = topic
              $0.first = 1
            }
          }
        }
        for _ in 0..<300 { _ = try await test.client.ask(.replay(request)) }
        #expect(try await test.client.status().undeliverableReplies == 0)
      }
    }

    @Test func `Silent connections take no place from clients`() async throws {
      try await TestNode.run(configure: { $0.limitConnections(to: 8) }) { test in
        let endpoints = test.node.endpoints
        await test.client.subscribe(frames: "frame/cam/full/")
        _ = try await test.client.camera { $0.streams.contains { $0.published > 0 } }
        for (endpoint, type) in [(endpoints.control, "DEALER"), (endpoints.frames, "SUB")] {
          // Some end during the handshake. Those that complete it have no time limit.
          let peers = (0..<20).compactMap { _ in try? RawPeer(endpoint, as: type) }
          for peer in peers.prefix(12) { await peer.waitForEnd() }
          try await test.withClient { other in _ = try await other.photo() }
          withExtendedLifetime(peers) {}
        }
        let camera = try await test.client.camera()
        #expect(camera.streams.first?.subscribers == 1)
        _ = try await test.client.camera {
          ($0.streams.first?.published ?? 0) > camera.streams[0].published + 3
        }
      }
    }

    @Test func `Subscribers that read nothing lose their connections before frames take too much`()
      async throws
    {
      try await TestNode.run(["cam=synthetic:1280x720@30,format=YUYV"]) { test in
        let client = test.client
        await client.subscribe(frames: "frame/cam/16x16/")
        var frames = 0
        func letPass(_ count: Int) async throws {
          frames = try await client.arrival { [frames] arrived in
            arrived.frames.count >= frames + count ? arrived.frames.count : nil
          }
        }
        var peers: [RawPeer] = []
        // One after the other, so that each holds different frames.
        for _ in 1...16 {
          let peer = try RawPeer(test.node.endpoints.frames, as: "SUB")
          try peer.subscribe("frame/cam/raw/")
          peers.append(peer)
          try await letPass(10)
        }
        await peers[0].waitForReset()
        try await letPass(3)
      }
    }

    @Test func `Connections beyond the limit take turns, and push out nobody who came first`()
      async throws
    {
      try await TestNode.run(configure: { $0.limitConnections(to: 8) }) { test in
        let control = test.node.endpoints.control
        _ = try await test.client.photo()
        var peers: [RawPeer] = []
        for _ in 0..<17 {
          let peer = try RawPeer(control, as: "DEALER")
          try peer.request(.status(.init()))
          // A status is longer.
          _ = try peer.receive(100)
          peers.append(peer)
        }
        // Without the limit each would have ten seconds for its handshake.
        let silent = try (0..<10).map { _ in try RawPeer(silent: control) }
        for peer in silent.prefix(8) { await peer.waitForEnd() }
        for peer in peers.prefix(5) {
          try peer.request(.status(.init()))
          #expect(try peer.receive(100).count == 100)
        }
        _ = try await test.client.photo()
      }
    }
  }
}
