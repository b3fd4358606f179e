import CameraProtocol
import Capture
import OperatingSystem
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  struct LimitTests {
    @Test func `The number of waiting photos is bounded, readiness reports it, and all are served`()
      async throws
    {
      try await TestNode.run { test in
        let (client, control) = (test.client, test.node.endpoints.control)
        try await client.follow()
        try await client.letPass(frames: 1)
        let mark = await client.eventCount
        let moment = try await client.status().now.monotonicNs + 5_000_000_000
        let request = WireRequest.OneOf_Body.capture(.inline { $0.atMonotonicNs = moment })
        let own = (0..<PhotoPlaces.unmadePerClient).map { _ in RequestID.random() }
        for id in own { try await client.send(request, id: id) }
        let alone = try await client.error(request)
        #expect(alone.code == .busy && alone.retryable)
        #expect(alone.message.hasPrefix("this connection waits for 12 pictures"))
        #expect(try await client.camera().readiness == .ready)
        // Others ask for as many as they can, and still there is a place for one more photo.
        let greedy = try (0..<4).map { _ in try RawPeer(control, as: "DEALER") }
        for _ in own { for peer in greedy { try peer.request(request) } }
        _ = try await client.arrival { client in
          let photos = client.events.dropFirst(mark).compactMap(\.event).count {
            guard case .capture(let event)? = $0.body, case .progress(let progress)? = event.body
            else { return false }
            return progress.step == .willBegin
          }
          return photos == PhotoPlaces.sharedLimit ? true : nil
        }
        let id = RequestID.random()
        try await test.withClient { other in
          #expect(try await other.photo().jpeg != nil)
          try await other.send(request, id: id)
          _ = try await other.progress(id) { $0.map { _ in true } }
          let modest = try (0..<15).map { _ in try RawPeer(control, as: "DEALER") }
          for peer in modest { try peer.request(request) }
          try await client.state(from: mark) { $0.readiness == .notReadyWaitingForCapture }
          try await test.withClient { late in
            let error = try await late.error(request)
            #expect(error.message.hasPrefix("48 photos are under way"))
          }
          #expect(try Photo(await other.conversation(id)).jpeg != nil)
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
