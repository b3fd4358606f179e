import CameraProtocol
import Capture
import OperatingSystem
import Testing

@testable import CameraNode

extension NodeTests {
  struct LimitTests {
    @Test func `The number of waiting photos is bounded, readiness reports it, and all are served`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        let mark = await client.eventCount
        let moment = try await client.status().now.monotonicNs + 2_000_000_000
        let request = WireRequest.OneOf_Body.capture(.inline { $0.atMonotonicNs = moment })
        let ids = (0..<PhotoOutput.maximumWaiting).map { _ in RequestID.random() }
        let (own, others) = (
          ids.prefix(PhotoPlaces.unmadePerClient), ids.dropFirst(PhotoPlaces.unmadePerClient)
        )
        for id in own { try await client.send(request, id: id) }
        let alone = try await client.error(request)
        #expect(alone.code == .busy && alone.retryable)
        #expect(alone.message.hasPrefix("this connection waits for 12 pictures"))
        #expect(try await client.camera().readiness == .ready)
        try await test.withClient { other in
          #expect(try await other.photo().jpeg != nil)
          for id in others { try await other.send(request, id: id) }
          try await client.state(from: mark) { $0.readiness == .notReadyWaitingForCapture }
          #expect(try await other.error(request).message.hasPrefix("16 photos wait"))
          for id in others { #expect(try Photo(await other.conversation(id)).jpeg != nil) }
        }
        for id in own { #expect(try Photo(await client.conversation(id)).jpeg != nil) }
        try await client.state(from: mark) { status in
          status.readiness == .ready && status.state == .running
        }
      }
    }

    @Test func `Many transient photos cost the camera no frames`() async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=MJPG"]) { test in
        // More photos than the pool has frames; each stays in an answer that is kept.
        try await test.client.letPass(frames: 100)
        let camera = try await test.client.camera()
        #expect(camera.frames.poolExhausted == 0)
        #expect(camera.ringDurationNs > 900_000_000)
      }
    }

    @Test func `A client's photo is taken although the client left`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let moment = try await client.status().now.monotonicNs + 200_000_000
        let id = RequestID.random()
        try await test.withClient { other in
          try await other.send(.capture(.inline { $0.atMonotonicNs = moment }), id: id)
          _ = try await other.progress(id) { $0.map { _ in true } }
        }
        // Its photo is taken all the same, and kept until the client returns.
        let photo = try await client.photo(.inline { $0.atMonotonicNs = moment }, id: id)
        #expect(photo.jpeg != nil)
        #expect(try await client.camera().readiness == .ready)
      }
    }
  }
}
