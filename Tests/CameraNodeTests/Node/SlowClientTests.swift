import CameraProtocol
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// Clients that do not read their replies, and clients that ask for too much.
  struct SlowClientTests {
    @Test func `Pictures that a client does not read cost the camera no memory, and come again`()
      async throws
    {
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.limits.unsentByteCount = 1 << 20
        // Here the system takes no megabytes before the node's own queue fills.
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
          // As many again as were on the way when the first was lost, each a frame of its own.
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

    @Test func `A flood of requests holds nobody up`() async throws {
      try await TestNode.run { test in
        try await test.withClient { flooder in
          try await withThrowingTaskGroup { group in
            group.addTask { try await flood(flooder) }
            // The flood is there.
            _ = try await flooder.arrival { $0.replies.count > 1000 ? true : nil }
            for _ in 0..<10 { _ = try await test.client.photo() }
            group.cancelAll()
          }
        }
      }
    }

    /// Has many more requests on their way than a client may have, until the task is cancelled.
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
