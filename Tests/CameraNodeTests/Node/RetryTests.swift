import CameraProtocol
import OperatingSystem
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// Requests that are repeated, have a deadline, or are cancelled.
  struct RetryTests {
    /// The number of exposures in a request's events.
    private func exposures(_ events: [Publication], of id: RequestID) -> Int {
      events.compactMap(\.event).count { event in
        guard case .capture(let capture)? = event.body, capture.requestID == id.data,
          case .progress(let progress)? = capture.body
        else { return false }
        return progress.step == .didCapture
      }
    }

    /// Takes another photo and waits for its event. The events of all earlier photos have arrived
    /// then.
    private func settle(_ client: TestClient) async throws {
      let id = RequestID.random()
      _ = try await client.photo(id: id)
      _ = try await client.event { event -> Bool? in
        guard case .capture(let capture)? = event.body, capture.requestID == id.data,
          case .completed? = capture.body
        else { return nil }
        return true
      }
    }

    @Test(arguments: [true, false])
    func `A repeated id gets the same answer and takes no second photo`(isTransient: Bool)
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let id = RequestID.random()
        let request = WireCaptureRequest.inline { $0.transient = isTransient }
        let first = try await client.photo(request, id: id)
        let again = try await test.withClient { other in
          // The remaining time may differ; it is not one of the settings.
          try Photo(try await other.ask(.capture(request), id: id, remaining: .seconds(3)))
        }
        #expect(again.result == first.result)
        #expect(again.jpeg == (isTransient ? first.jpeg : nil))
        try await settle(client)
        #expect(exposures(await client.events, of: id) == 1)
        #expect(try await client.assets().count == (isTransient ? 0 : 1))
      }
    }

    @Test func `A repeated id waits for the photo that is already under way`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let id = RequestID.random()
        let moment = try await client.status().now.monotonicNs + 300_000_000
        let request = WireRequest.OneOf_Body.capture(.inline { $0.atMonotonicNs = moment })
        try await client.send(request, id: id)
        _ = try await client.progress(id) { $0.map { _ in true } }
        try await client.send(request, id: id)
        let attached = try await test.withClient { try await $0.ask(request, id: id) }
        let own = try Photo(await client.conversation(id))
        let replies = try await client.conversation(id)
        let jpeg = try #require(own.jpeg)
        #expect(attached.last?.wire == replies.last?.wire)
        #expect(attached.compactMap(\.attachment) == [jpeg])
        try await settle(client)
        #expect(exposures(await client.events, of: id) == 1)
        let finals = await client.replies.count { $0.wire.id == id.data && $0.wire.final }
        #expect(finals == 1)
      }
    }

    @Test func `An id stands for one request`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let id = RequestID.random()
        _ = try await client.photo(id: id)
        try await client.send(.capture(.inline { $0.quality = 50 }), id: id)
        let error = try await client.arrival { client in
          client.replies.last { $0.wire.id == id.data && $0.wire.error.code != .unspecified }
        }
        #expect(error.wire.error.code == .idReused)
        #expect(error.wire.final && error.wire.index == 0)
      }
    }

    @Test func `A repetition for an earlier epoch does not end the request under way`() async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let id = RequestID.random()
        let later = try await client.status().now.monotonicNs + 20_000_000_000
        try await client.send(.capture(.inline { $0.atMonotonicNs = later }), id: id)
        let stranger = WireRequest.with {
          $0.id = id.data
          $0.epoch = Epoch.random().data
          $0.clock = .init()
        }
        try await client.send(parts: [Framing.signature, stranger.bytes])
        let reply = try await client.arrival { client in
          client.replies.first { $0.wire.error.code == .outcomeUnknown }
        }
        #expect(reply.wire.index == 0)
        _ = try await client.ask(.cancel(.with { $0.request = id.data }))
      }
    }

    @Test func `A request for an earlier epoch is not executed again`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let request = WireRequest.with {
          $0.id = RequestID.random().data
          $0.epoch = Epoch.random().data
          $0.capture = .inline { $0.transient = false }
        }
        try await client.send(parts: [Framing.signature, request.bytes])
        let reply = try await client.arrival { $0.replies.first }
        #expect(reply.wire.error.code == .outcomeUnknown)
        #expect(reply.wire.final)
        try await settle(client)
        #expect(try await client.assets().isEmpty)
        let same = WireRequest.with {
          $0.id = RequestID.random().data
          $0.epoch = reply.wire.epoch
          $0.capture = .inline()
        }
        try await client.send(parts: [Framing.signature, same.bytes])
        let photo = try Photo(await client.conversation(#require(RequestID(bytes: same.id))))
        #expect(photo.jpeg != nil)
      }
    }

    @Test func `A request without a frame ends at its deadline`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.set(["inject_stall": 1])
        let request = WireCaptureRequest.inline { $0.next = .init() }
        let error = try await client.error(.capture(request), remaining: .milliseconds(100))
        #expect(error.code == .deadlineExceeded)
        #expect(error.retryable)
      }
    }

    @Test func `A moment after the deadline is refused at once`() async throws {
      try await TestNode.run { test in
        let moment = try await test.client.status().now.monotonicNs + 3_600_000_000_000
        let error = try await test.client.error(.capture(.inline { $0.atMonotonicNs = moment }))
        #expect(error.code == .invalidArgument)
        #expect(error.field == "capture.when" && error.reason == .momentAfterDeadline)
      }
    }

    @Test func `Other settings under the same id do not end the request that has it`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let moment = try await client.status().now.monotonicNs + 300_000_000
        let id = RequestID.random()
        try await client.send(.capture(.inline { $0.atMonotonicNs = moment }), id: id)
        try await client.send(.capture(.inline { $0.quality = 50 }), id: id)
        let ends = try await client.arrival { client in
          let ends = client.replies.map(\.wire).filter { $0.id == id.data && $0.final }
          return ends.count == 2 ? ends : nil
        }
        #expect(ends[0].error.code == .idReused && ends[0].index == 0)
        guard case .capture? = ends[1].body else { throw Unexpected(ends[1]) }
        #expect(ends[1].index > 0)
      }
    }

    @Test func `A recording is started once, and stopped once`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let (start, stop) = (RequestID.random(), RequestID.random())
        func twice(_ body: WireRequest.OneOf_Body, id: RequestID) async throws -> WireReply {
          try await client.send(body, id: id)
          try await client.send(body, id: id)
          let first = try await client.conversation(id).last
          let again = try await test.withClient { try await $0.ask(body, id: id).last }
          #expect(again?.wire == first?.wire)
          return try #require(first).wire
        }
        let started = try await twice(.recordStart(.with { $0.quality = 50 }), id: start)
        #expect(started.recordStarted.recording == start.data)
        let other = try await test.withClient {
          try await $0.error(.recordStart(.with { $0.quality = 51 }), id: start)
        }
        #expect(other.code == .idReused)
        try await client.letPass(frames: 5)
        let stopped = try await twice(.recordStop(.init()), id: stop)
        #expect(stopped.record.recording == start.data)
        #expect(try await client.finishedRecording(start) == stopped.record)
        #expect(try await client.assets() == [stopped.record.asset])
      }
    }

    @Test
    func `After its answer is forgotten, a request's outcome is unknown and it is not repeated`()
      async throws
    {
      try await TestNode.run(configure: { $0.limits.requests.answers.count = 0 }) { test in
        let client = test.client
        try await client.follow()
        let id = RequestID.random()
        let request = WireRequest.OneOf_Body.capture(.with { $0.quality = 50 })
        _ = try await client.ask(request, id: id)
        let again = try await test.withClient { try await $0.error(request, id: id) }
        #expect(again.code == .outcomeUnknown)
        try await settle(client)
        #expect(exposures(await client.events, of: id) == 1)
        #expect(try await client.assets().map(\.requestID) == [id.data])
      }
    }

    @Test func `A refused request is refused again, even if it would succeed now`() async throws {
      try await TestNode.run { test in
        let client = test.client
        _ = try await client.ask(.sessionStop(.init()))
        let id = RequestID.random()
        let request = WireRequest.OneOf_Body.capture(.inline())
        let error = try await client.error(request, id: id)
        #expect(error.code == .notRunning)
        _ = try await client.ask(.sessionStart(.init()))
        let again = try await test.withClient { try await $0.error(request, id: id) }
        #expect(again == error)
      }
    }

    @Test(arguments: [
      WireRequest.OneOf_Body.sessionStop(.init()), .configure(.with { $0.pixelFormat = "GREY" }),
      .formats(.init()), .controlsList(.init()), .controlsGet(.with { $0.ids = ["gain"] }),
      .controlsSet(.settings(["gain": 77])), .recordStart(.init()), .assets(.init()),
    ])
    func `Queued work does not start after its deadline`(
      request: WireRequest.OneOf_Body
    ) async throws {
      try await TestNode.run { test in
        let client = test.client
        let before = try await client.camera()
        let error = try await client.error(request, remaining: .nanoseconds(1))
        #expect(error.code == .deadlineExceeded)
        let after = try await client.camera()
        #expect(after.state == .running)
        #expect(after.since.monotonicNs == before.since.monotonicNs)
        #expect(!after.hasRecording)
        #expect(try await client.get(["gain"]).first?.value.integer == 100)
        // The refused request left nothing behind that blocks a recording.
        _ = try await client.movie(frames: 2)
      }
    }

    @Test func `A client that reconnects under new addresses gets its photo`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let id = RequestID.random()
        let moment = try await client.status().now.monotonicNs + 1_000_000_000
        let request = WireRequest.OneOf_Body.capture(.inline { $0.atMonotonicNs = moment })
        for _ in 0..<30 {
          try await client.reconnect()
          try await client.send(request, id: id)
          _ = try await client.status()
        }
        #expect(try Photo(await client.conversation(id)).jpeg != nil)
        try await settle(client)
        #expect(exposures(await client.events, of: id) == 1)
      }
    }
  }
}
