import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  struct SessionTests {
    private func session(_ replies: [Reply]) throws -> WireCameraStatus {
      guard case .session(let status)? = replies.last?.wire.body else {
        throw Unexpected(replies.last)
      }
      return status
    }

    @Test func `A session is stopped and started, and its readiness follows`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let stopped = try session(await client.ask(.sessionStop(WireSessionStopRequest())))
        #expect(stopped.state == .stopped)
        #expect(stopped.readiness == .sessionNotRunning)
        #expect(!stopped.hasFormat)
        for request in [
          WireRequest.OneOf_Body.capture(.inline()), .recordStart(WireRecordStartRequest()),
        ] {
          let error = try await client.error(request)
          #expect(error.code == .notRunning)
          #expect(!error.retryable, "it stays stopped until somebody starts it")
          #expect(error.message == "cam is stopped: start its session")
          #expect(error.reason == .sessionStopped && error.camera == "cam")
        }

        let mark = await client.eventCount
        let started = try session(await client.ask(.sessionStart(.init())))
        #expect(started.state == .running)
        #expect(started.format.size.width == 320)
        try await client.state(from: mark) { $0.readiness == .notReadyMomentarily }
        try await client.state(from: mark) { $0.readiness == .ready && $0.state == .running }
        _ = try #require(try await client.photo().jpeg)
      }
    }

    @Test func `Starting a running session changes nothing`() async throws {
      try await TestNode.run { test in
        let before = try await test.client.camera()
        let again = try session(await test.client.ask(.sessionStart(.init())))
        #expect(again.since.monotonicNs == before.since.monotonicNs)
      }
    }

    @Test func `A waiting photo ends when its session is stopped or reconfigured`() async throws {
      let ends = [
        WireRequest.OneOf_Body.sessionStop(WireSessionStopRequest()),
        .configure(.with { $0.pixelFormat = "GREY" }),
      ]
      for end in ends {
        try await TestNode.run { test in
          let client = test.client
          try await client.set(["inject_stall": 1])
          let id = RequestID.random()
          try await client.send(.capture(.inline { $0.next = .init() }), id: id)
          _ = try await client.progress(id) { $0.map { _ in true } }
          try await client.ask(end)
          guard case .error(let error)? = try await client.final(id) else {
            throw Unexpected("a photo")
          }
          #expect(error.code == .interrupted)
          #expect(error.retryable)
        }
      }
    }

    @Test func `A suspended camera is known to everybody, and its movie ends`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let movie = RequestID.random()
        _ = try await client.ask(.recordStart(WireRecordStartRequest()), id: movie)
        try await client.letPass(frames: 3)
        let suspended = try session(
          await client.ask(.sessionSuspend(.with { $0.reason = "the lens is being cleaned" })))
        #expect(suspended.state == .interrupted)
        #expect(suspended.interruption == .suspendedByOperator)
        #expect(suspended.readiness == .sessionNotRunning)
        #expect(!suspended.hasRecording, "the movie is complete")
        #expect(suspended.nextAttemptMonotonicNs == 0)
        let words = "an operator has suspended the camera (the lens is being cleaned)"
        #expect(suspended.error.message.hasPrefix(words))
        try await client.state { $0.interruption == .suspendedByOperator }
        let once = try session(await client.ask(.sessionSuspend(WireSessionSuspendRequest())))
        #expect(once.error.message.hasPrefix(words), "who says nothing takes nobody's reason away")
        _ = try await client.event { (event) -> Bool? in
          guard case .recording(let event)? = event.body, event.requestID == movie.data,
            case .finished(let result)? = event.body
          else { return nil }
          return result.reason == .cameraLost ? true : nil
        }

        let refused = try await client.error(.capture(.inline()))
        #expect(refused.code == .interrupted)
        #expect(refused.message.contains(words))
        #expect(try await client.error(.sessionStart(.init())).code == .conflict)

        let mark = await client.eventCount
        let resumed = try session(await client.ask(.sessionResume(WireSessionResumeRequest())))
        #expect(resumed.state == .running)
        try await client.state(from: mark) { $0.state == .running && $0.readiness == .ready }
        _ = try #require(try await client.photo().jpeg)
        let again = try session(await client.ask(.sessionResume(WireSessionResumeRequest())))
        #expect(again.state == .running && again.since.monotonicNs == resumed.since.monotonicNs)
      }
    }

    @Test func `A stopped session is neither suspended nor resumed`() async throws {
      try await TestNode.run { test in
        _ = try await test.client.ask(.sessionStop(WireSessionStopRequest()))
        for request in [
          WireRequest.OneOf_Body.sessionSuspend(WireSessionSuspendRequest()),
          .sessionResume(WireSessionResumeRequest()),
        ] {
          let error = try await test.client.error(request)
          #expect(error.code == .notRunning && !error.retryable)
        }
      }
    }

    @Test func `The list of formats has those that the camera can deliver`() async throws {
      try await TestNode.run { test in
        guard
          case .formats(let formats)? = try await test.client.ask(.formats(WireFormatsRequest()))
            .last?.wire.body
        else { throw Unexpected("no formats") }
        let own = try #require(formats.formats.first)
        #expect(own.pixelFormat == "YUYV")
        #expect((own.size.width, own.size.height) == (320, 240))
        #expect(own.frameRates == own.frameRates.sorted(by: >))
        #expect(Set(formats.formats.map(\.pixelFormat)).isSuperset(of: ["MJPG", "NV12", "GREY"]))
      }
    }
  }
}
