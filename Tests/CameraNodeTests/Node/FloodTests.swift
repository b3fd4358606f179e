import CameraProtocol
import Foundation
import OperatingSystem
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// A client that asks for more than the node can remember or do costs no other its service.
  struct FloodTests {
    @Test func `A client that configures a camera all the time takes turns with the others`()
      async throws
    {
      try await TestNode.run(["cam=synthetic:320x240@30,format=YUYV"]) { test in
        try await test.withClient { hostile in
          // Each starts the camera again.
          let ids = (0..<40).map { _ in RequestID.random() }
          for (number, id) in ids.enumerated() {
            let width: UInt32 = number.isMultiple(of: 2) ? 160 : 320
            let size = WireSize.with { ($0.width, $0.height) = (width, width * 3 / 4) }
            try await hostile.send(.configure(.with { $0.size = size }), id: id)
          }
          // When the node answers, it has read what was asked for before.
          _ = try await hostile.ask(.status(.init()))
          let setting = WireControlsSetRequest.with {
            $0.settings = [.with { ($0.id, $0.value.integer) = ("brightness", 7) }]
          }
          guard case .controls? = try await test.client.ask(.controlsSet(setting)).last?.wire.body
          else { throw Unexpected("not set") }
          let last = ids[20].data
          #expect(await !hostile.replies.contains { $0.wire.id == last })
          for id in ids { _ = try await hostile.conversation(id) }
        }
      }
    }

    private func final(
      of body: WireRequest.OneOf_Body, epoch: Data, _ client: TestClient
    ) async throws -> WireReply {
      let request = WireRequest.with {
        $0.id = RequestID.random().data
        $0.epoch = epoch
        $0.body = body
      }
      try await client.send(parts: [Framing.signature, request.bytes])
      let id = try #require(RequestID(bytes: request.id))
      return try #require(try await client.conversation(id).last).wire
    }

    @Test func `A memory full of ids refuses no new request, and carries out no repetition`()
      async throws
    {
      try await TestNode.run(configure: {
        $0.limits.requests.answers.count = 1
        $0.limits.requests.forgotten = 1
      }) { test in
        let client = test.client
        let recording = try await client.startRecording()
        try await client.letRecord(frames: 2)
        try await test.withClient { hostile in
          for _ in 0..<10 {
            let replies = try await hostile.ask(
              .capture(.inline()), remaining: .seconds(24 * 3600))
            #expect(try Photo(replies).jpeg != nil)
          }
        }
        #expect(try await client.camera().readiness == .ready)
        let photo = try #require(try await client.ask(.capture(.init())).last).wire
        #expect(!photo.capture.asset.id.isEmpty)
        // A request with an epoch is a repetition, and its id may be one that was dropped.
        let repeated = try await final(of: .capture(.init()), epoch: photo.epoch, client)
        #expect(repeated.error.code == .outcomeUnknown)
        #expect(try await client.stopRecording(recording).reason == .stopped)
        #expect(try await client.assets().count == 2)
      }
    }

    @Test func `Requests that change nothing have the node forget no id`() async throws {
      try await TestNode.run(configure: {
        $0.limits.requests.answers.count = 1
        $0.limits.requests.forgotten = 1
      }) { test in
        let client = test.client
        let photo = try #require(try await client.ask(.capture(.init())).last).wire
        let asset = photo.capture.asset.id
        func send(_ assets: [Data]) async throws {
          let bodies: [WireRequest.OneOf_Body] = [
            .protect(.with { $0.assets = assets }), .delete(.with { $0.assets = assets }),
          ]
          for body in bodies where body.isHarmless(for: asset) {
            let id = RequestID.random()
            let day = Duration.seconds(24 * 3600)
            let answer = try await client.ask(body, id: id, remaining: day).last?.wire
            #expect(try await client.ask(body, id: id, remaining: day).last?.wire == answer)
          }
        }
        for _ in 0..<5 {
          try await send([asset])
          try await send([RequestID.random().data])
        }
        let repeated = try await final(of: .capture(.init()), epoch: photo.epoch, client)
        #expect(!repeated.capture.asset.id.isEmpty, "\(repeated.error)")
        // What changes something is remembered.
        for isProtected in [true, false, true, false] {
          let body = WireProtectRequest.with {
            ($0.assets, $0.protected) = ([asset], isProtected)
          }
          _ = try await client.ask(.protect(body), remaining: .seconds(24 * 3600))
        }
        let lost = try await final(of: .capture(.init()), epoch: photo.epoch, client)
        #expect(lost.error.code == .outcomeUnknown)
      }
    }

    @Test func `A client with too much under way is refused alone, and can still stop and cancel`()
      async throws
    {
      try await TestNode.run(configure: {
        $0.limits.requests.requestsPerClient = 2
        $0.limits.requests.requests = 2
        $0.limits.requests.assuredPerClient = 1
      }) { test in
        let client = test.client
        let recording = try await client.startRecording()
        try await client.letRecord(frames: 2)
        let moment = try await client.status().now.monotonicNs + 20_000_000_000
        let waiting = [RequestID.random(), .random()]
        for id in waiting {
          try await client.send(.capture(.inline { $0.atMonotonicNs = moment }), id: id)
        }
        let alone = try await client.error(.status(.init()))
        #expect(alone.code == .busy && alone.message.hasPrefix("this connection has too many"))
        try await test.withClient { other in
          #expect(try await other.photo().jpeg != nil)
          let third = RequestID.random()
          try await other.send(.capture(.inline { $0.atMonotonicNs = moment }), id: third)
          let error = try await other.error(.status(.init()))
          #expect(error.code == .busy && error.message.hasPrefix("all clients together have"))
          #expect(try await other.cancel(third) == .cancelled)
        }
        #expect(try await client.stopRecording(recording).reason == .stopped)
        for id in waiting {
          #expect(try await client.cancel(id) == .cancelled)
          // It is under way until it has its own last reply.
          _ = try await client.final(id)
        }
        _ = try await client.status()
      }
    }
  }
}

extension WireRequest.OneOf_Body {
  /// Whether it leaves this asset, which is not protected, as it is.
  fileprivate func isHarmless(for asset: Data) -> Bool {
    if case .delete(let body) = self { !body.assets.contains(asset) } else { true }
  }
}
