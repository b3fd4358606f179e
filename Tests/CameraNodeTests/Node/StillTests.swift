import CameraProtocol
import FoundationEssentials
import SwiftProtobuf
import Testing

extension NodeTests {
  /// Photos of the largest size.
  struct StillTests {
    private static let camera = "cam=synthetic:320x240@60,format=YUYV"

    private func largest(
      _ edit: (inout WireCaptureRequest) -> Void = { _ in }
    ) -> WireRequest.OneOf_Body {
      .capture(
        .inline {
          $0.size = .maximum
          edit(&$0)
        })
    }

    private func resolved(
      _ body: WireRequest.OneOf_Body, _ client: TestClient
    ) async throws -> WireResolvedCapture {
      guard case .capture(let result)? = try await client.ask(body).last?.wire.body else {
        throw Unexpected("no photo")
      }
      return result.resolved
    }

    @Test func `A photo of the largest size says what it cost, and everybody is told`() async throws
    {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        let before = try await client.camera()
        let pictures = try await client.capabilities().pictures.filter {
          $0.mediaType == "image/jpeg"
        }
        #expect(pictures.map(\.size.width) == [320, 3840])
        #expect(pictures.map(\.switchesFormat) == [false, true])
        let mark = await client.eventCount
        let photo = try await resolved(largest(), client)
        #expect(photo.size.width == 3840 && photo.size.height == 2160)
        #expect(photo.gapNs > 0 && photo.startNs == 0 && photo.offsetNs > 0)
        try await client.state(from: mark) { $0.readiness == .notReadyChangingFormat }
        try await client.state(from: mark) { $0.readiness == .ready }
        #expect(try await client.camera().format == before.format)
        let plain = try await resolved(.capture(.inline()), client)
        #expect(plain.size.width == 320 && plain.gapNs == 0)
      }
    }

    @Test func `One of an idle camera says what its start cost too`() async throws {
      try await TestNode.run([Self.camera + ",idle=100ms"]) { test in
        let client = test.client
        try await client.follow()
        let moment = try await client.photo().result.resolved.timestamp.monotonicNs
        try await client.state { $0.state == .idle && $0.since.monotonicNs > moment }
        let photo = try await resolved(largest(), client)
        #expect(photo.startNs > 0 && photo.gapNs > 0)
        #expect(photo.startNs < UInt64(photo.offsetNs))
      }
    }

    @Test func `A stream that has the largest size is not touched`() async throws {
      try await TestNode.run(["cam=synthetic:3840x2160@10,format=MJPG"]) { test in
        let client = test.client
        try await client.follow()
        let since = try await client.camera().since
        let photo = try await resolved(largest { $0.pastNs = 1 }, client)
        #expect(photo.size.width == 3840 && photo.gapNs == 0 && photo.passthrough)
        #expect(try await client.camera().since.monotonicNs == since.monotonicNs)
      }
    }

    @Test func `A camera may keep its format`() async throws {
      try await TestNode.run([Self.camera + ",stills=stream"]) { test in
        let photo = try await resolved(largest(), test.client)
        #expect(photo.size.width == 320 && photo.gapNs == 0)
        let pictures = try await test.client.capabilities().pictures
        #expect(pictures.allSatisfy { !$0.switchesFormat })
      }
    }

    @Test func `It is refused while the camera records, is leased, or for a moment`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        for edit in [
          { $0.pastNs = 1_000_000 },
          { $0.atMonotonicNs = 1 },
        ] as [(inout WireCaptureRequest) -> Void] {
          let error = try await client.error(largest(edit))
          #expect(error.code == .frameUnavailable && error.field == "capture.when")
        }

        let recording = try await client.startRecording()
        try await client.letRecord(frames: 3)
        let recorded = try await client.error(largest())
        #expect(recorded.code == .conflict && recorded.field == "capture.size")
        #expect(try await client.stopRecording(recording).reason == .stopped)

        guard
          case .lease(let lease) = try await client.ask(
            .leaseAcquire(.with { $0.holder = "calibration" })
          ).last?.wire.body
        else { throw Unexpected("no lease") }
        let leased = try await client.error(largest())
        #expect(leased.code == .conflict && leased.field == "lease")
        #expect(leased.message.contains("'calibration'"))
        _ = try await resolved(.capture(.inline()), client)
        guard case .capture(let photo)? = try await client.ask(largest(), under: lease.id)
        else { throw Unexpected("the holder gets no photo") }
        #expect(photo.resolved.gapNs > 0)
      }
    }

    @Test func `Other requests wait for it, and photos that come meanwhile are taken after it`()
      async throws
    {
      try await TestNode.run([Self.camera + ",warmup=20"]) { test in
        let client = test.client
        try await client.follow()
        let mark = await client.eventCount
        let id = RequestID.random()
        try await client.send(largest(), id: id)
        try await client.state(from: mark) { $0.readiness == .notReadyChangingFormat }
        let past = try await client.error(.capture(.inline { $0.pastNs = 1_000_000 }))
        #expect(past.code == .frameUnavailable)
        let plain = try await resolved(.capture(.inline()), client)
        #expect(plain.size.width == 320)
        guard case .capture(let photo)? = try await client.final(id) else {
          throw Unexpected("no photo")
        }
        #expect(photo.resolved.size.width == 3840)
        #expect(photo.resolved.timestamp.monotonicNs < plain.timestamp.monotonicNs)
      }
    }

    @Test func `Few of them may wait at a time`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        let ids = (0..<8).map { _ in RequestID.random() }
        for id in ids { try await client.send(largest(), id: id, remaining: .seconds(600)) }
        var (taken, refused) = (0, 0)
        for id in ids {
          let reply = try await client.final(id)
          switch reply {
          case .capture(let photo)? where photo.resolved.gapNs > 0: taken += 1
          case .error(let error)? where error.code == .busy && error.retryable: refused += 1
          default: throw Unexpected(reply)
          }
        }
        #expect(taken >= 1 && refused > 0 && taken + refused == ids.count)
      }
    }

    @Test func `A recording takes its turn among them`() async throws {
      try await TestNode.run([Self.camera + ",warmup=20"]) { test in
        let client = test.client
        try await client.follow()
        let mark = await client.eventCount
        let id = RequestID.random()
        try await client.send(largest(), id: id)
        try await client.state(from: mark) { $0.readiness == .notReadyChangingFormat }
        try await test.withClient { other in
          let late = RequestID.random()
          let recording = try await client.startRecording()
          try await client.letRecord(frames: 3)
          try await other.send(largest(), id: late)
          guard case .error(let error)? = try await other.final(late) else {
            throw Unexpected("a photo of another format beside a movie")
          }
          #expect(error.code == .conflict && error.field == "capture.size")
          #expect(try await client.stopRecording(recording).reason == .stopped)
        }
        guard case .capture? = try await client.final(id) else { throw Unexpected("no photo") }
      }
    }

    @Test(arguments: ["", ",idle=100ms"])
    func `A stream of which no pictures can be made takes them too`(idle: String) async throws {
      try await TestNode.run(["cam=synthetic:640x480@30,format=RGBP" + idle]) { test in
        let client = test.client
        try await client.follow()
        if !idle.isEmpty { try await client.state { $0.state == .idle } }
        #expect(try await client.error(.capture(.inline())).code == .unsupportedFormat)
        let photo = try await resolved(largest(), client)
        #expect(photo.size.width == 3840 && photo.gapNs > 0)
        #expect(try await client.camera().format.pixelFormat.hasPrefix("RGBP"))
      }
    }

    @Test func `A deadline that is too near is named`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        let id = RequestID.random()
        try await client.send(largest(), id: id, remaining: .milliseconds(1))
        guard case .error(let error)? = try await client.final(id) else {
          throw Unexpected("a photo after its deadline")
        }
        #expect(error.code == .deadlineExceeded)
      }
    }

    @Test func `An idle camera starts for it`() async throws {
      try await TestNode.run([Self.camera + ",idle=100ms"]) { test in
        let client = test.client
        try await client.follow()
        _ = try await resolved(.capture(.inline()), client)
        try await client.state { $0.state == .idle }
        let photo = try await resolved(largest(), client)
        #expect(photo.size.width == 3840 && photo.gapNs > 0)
      }
    }

    @Test func `A stopped or suspended camera takes none`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        _ = try await client.ask(.sessionSuspend(.init()))
        #expect(try await client.error(largest()).code == .interrupted)
        _ = try await client.ask(.sessionStop(.init()))
        #expect(try await client.error(largest()).code == .notRunning)
      }
    }
  }
}
