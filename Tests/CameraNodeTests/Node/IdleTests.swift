import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  /// Tests of cameras that are closed when nobody uses them.
  struct IdleTests {
    private static let camera = "cam=synthetic:320x240@60,format=YUYV,idle=100ms"

    private func wait(
      for state: WireSessionState, _ client: TestClient, from mark: Int
    ) async throws -> WireCameraStatus {
      try await client.state(from: mark) { $0.state == state }
    }

    /// Waits until the camera is idle. It has run before, so that this is not missed.
    private func idle(_ client: TestClient) async throws -> WireCameraStatus {
      try await client.follow()
      let moment = try await client.photo().result.resolved.timestamp.monotonicNs
      return try await client.state { $0.state == .idle && $0.since.monotonicNs > moment }
    }

    @Test func `A camera that nobody uses becomes idle, and a photo starts it`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        let idle = try await idle(client)
        #expect(idle.readiness == .ready && !idle.hasError && idle.idleAfterNs == 100_000_000)
        #expect(idle.format.size.width == 320 && idle.ringDurationNs == 0)
        #expect(try await client.camera().state == .idle)
        let configure = WireConfigureRequest.with {
          $0.size = idle.format.size
          $0.pixelFormat = "YUYV"
        }
        guard
          case .configure(let same)? = try await client.ask(.configure(configure)).last?.wire.body
        else { throw Unexpected("not configured") }
        #expect(same.camera.format == idle.format, "it starts in this format again")
        #expect(try await client.get(["brightness"]).first?.id == "brightness")

        let past = try await client.error(.capture(.inline { $0.pastNs = 50_000_000 }))
        #expect(past.code == .frameUnavailable && past.field == "capture.when")
        #expect(try await client.camera().state == .idle, "it starts for no moment that has passed")

        // Nor for a photo or a movie that cannot come in time.
        let late = WireCaptureRequest.inline { $0.atMonotonicNs = .max }
        #expect(try await client.error(.capture(late)).code == .invalidArgument)
        let bodies: [WireRequest.OneOf_Body] = [
          .capture(.inline()), .capture(.inline { $0.size = .maximum }), .recordStart(.init()),
        ]
        for body in bodies {
          let error = try await client.error(body, remaining: .nanoseconds(1))
          #expect(error.code == .deadlineExceeded)
        }
        #expect(try await client.camera().state == .idle)

        let mark = await client.eventCount
        let photo = try await client.photo()
        #expect(photo.result.resolved.startNs > 0)
        #expect(photo.result.resolved.offsetNs > 0, "there was no frame before")
        _ = try #require(photo.jpeg)
        for state in [WireSessionState.starting, .running, .idle] {
          _ = try await wait(for: state, client, from: mark)
        }
        let changes = try await client.arrival { client -> [WireSessionState] in
          client.events.dropFirst(mark).compactMap { event in
            if case .state(let status)? = event.event?.body { status.state } else { nil }
          }
        }
        #expect(!changes.contains(.interrupted) && !changes.contains(.stopped))
      }
    }

    @Test func `A camera stays warm unless its specification says otherwise`() async throws {
      try await TestNode.run { test in
        let camera = try await test.client.camera()
        let photo = try await test.client.photo()
        #expect(camera.idleAfterNs == 0 && photo.result.resolved.startNs == 0)
      }
    }

    @Test func `A subscriber starts an idle camera and keeps it running`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        let before = try await idle(client)
        let mark = await client.eventCount
        await client.subscribe(frames: "frame/cam/raw/")
        // Half a second, five times as long as a camera without users stays open.
        _ = try await client.arrival { $0.frames.count >= 30 ? true : nil }
        let states = await client.events.dropFirst(mark).compactMap(\.event).compactMap { event in
          if case .state(let status)? = event.body { status.state } else { nil }
        }
        #expect(states.contains(.running) && !states.contains(.idle))
        await client.unsubscribe(frames: "frame/cam/raw/")
        let after = try await wait(for: .idle, client, from: mark)
        #expect(after.since.monotonicNs > before.since.monotonicNs)
      }
    }

    @Test func `A recording starts an idle camera, and may be stopped at once`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        _ = try await idle(client)
        let recording = try await client.startRecording()
        try await client.letRecord(frames: 20)
        let result = try await client.stopRecording(recording)
        #expect(result.frames >= 20 && result.reason == .stopped)

        let mark = await client.eventCount
        _ = try await wait(for: .idle, client, from: mark)
        let id = RequestID.random()
        try await client.send(.recordStart(.init()), id: id)
        let stop = try await client.ask(.recordStop(.with { $0.recording = id.data })).last?.wire
        guard case .recordStarted? = try await client.final(id) else {
          throw Unexpected("no recording")
        }
        switch stop?.body {
        case .record(let result)?: #expect(result.reason == .stopped)
        case .error(let error)?: #expect(error.code == .frameUnavailable)
        default: throw Unexpected(stop)
        }
      }
    }

    @Test func `An idle camera that is gone fails the photo that would start it, and comes back`()
      async throws
    {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        _ = try await idle(client)
        try await client.set(["disconnect": 1])
        #expect(try await client.camera().state == .idle)
        let mark = await client.eventCount
        let error = try await client.error(.capture(.inline()))
        #expect(error.code == .deviceNotFound && error.retryable)
        let trouble = try await wait(for: .interrupted, client, from: mark)
        #expect(trouble.interruption == .deviceDisconnected && trouble.nextAttemptMonotonicNs > 0)
        let refused = try await client.error(.recordStart(.init()))
        #expect(refused.code == .deviceNotFound)
        try await client.set(["disconnect": 0])
        _ = try await wait(for: .running, client, from: mark)
        _ = try await wait(for: .idle, client, from: mark)
      }
    }

    @Test func `A stopped camera is not idle, and starts only when it is asked to`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        _ = try await idle(client)
        try await client.ask(.sessionStop(.init()))
        #expect(try await client.error(.capture(.inline())).code == .notRunning)
        let mark = await client.eventCount
        try await client.ask(.sessionStart(.init()))
        _ = try await wait(for: .running, client, from: mark)
        _ = try await wait(for: .idle, client, from: mark)
      }
    }
  }
}
