import CameraProtocol
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Clients that do not read their replies, and clients that send too many requests.
  struct SlowClientTests {
    @Test func `Unread pictures cost the camera no memory, and are sent again`()
      async throws
    {
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.limits.unsentByteCount = 1 << 18
        // Over ipc the system buffers little, so the node's own queue fills soon.
        configuration.control = "ipc://\(configuration.library).control"
      }
      try await TestNode.run(["cam=synthetic:640x480@30,format=MJPG"], configure: configure) {
        test in
        let client = test.client
        let request = WireRequest.OneOf_Body.capture(.inline())
        try await StoppedPeers.with { stopped in
          try await stopped.connect(to: test.node.endpoints.control)
          var photos: [Photo] = []
          var lost = 0
          // After the first loss, as many photos again as were on the way then, each with its own
          // frame.
          while photos.count < 2 * lost || lost == 0 {
            let id = RequestID.random()
            try await stopped.send(request, id: id)
            try await client.letPass(frames: 1)
            photos.append(try Photo(try await client.ask(request, id: id)))
            if lost == 0, try await client.status().undeliverableReplies > 0 { lost = photos.count }
          }
          #expect(photos.allSatisfy { $0.jpeg != nil })
          let camera = try await client.camera()
          #expect(camera.frames.poolExhausted == 0)
          #expect(camera.ringDurationNs > 900_000_000, "the memory of the past is whole")
          #expect(camera.readiness == .ready)
        }
      }
    }

    @Test func `Clients that read nothing lose their connections before all replies take too much`()
      async throws
    {
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.limits.unsentByteCountOfAll = 1 << 19
        // Over ipc the system buffers little, so the node's own queue fills soon.
        configuration.control = "ipc://\(configuration.library).control"
      }
      try await TestNode.run(["cam=synthetic:640x480@30,format=MJPG"], configure: configure) {
        test in
        let control = test.node.endpoints.control
        let peers = try (0..<2).map { _ in try RawPeer(control, as: "DEALER") }
        for _ in 0..<60 {
          for peer in peers { try? peer.request(.capture(.inline())) }
          try await test.client.letPass(frames: 1)
          #expect(try await test.client.photo(.inline()).jpeg != nil)
        }
        // Those that wait longest are ended first.
        await peers[0].waitForEnd()
      }
    }

    @Test func `A flood of requests does not delay other clients`() async throws {
      try await TestNode.run { test in
        try await test.withClient { flooder in
          try await withThrowingTaskGroup { group in
            group.addTask { try await flood(flooder) }
            // The flood has begun.
            _ = try await flooder.arrival { $0.replies.count > 1000 ? true : nil }
            for _ in 0..<10 { _ = try await test.client.photo() }
            group.cancelAll()
          }
        }
      }
    }

    /// Keeps many more requests under way than a client may have, until the task is cancelled.
    private func flood(_ client: TestClient) async throws {
      for count in 1... {
        guard !Task.isCancelled else { return }
        try await client.send(.status(.init()), id: .random())
        guard count.isMultiple(of: 100) else { continue }
        do {
          _ = try await client.arrival { $0.replies.count + 2000 > count ? true : nil }
        } catch is CancellationError {
          return
        }
      }
    }
  }
}
