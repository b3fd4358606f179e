import CameraProtocol
import CaptureSynthetic
import SwiftProtobuf
import TestSupport
import Testing

extension NodeTests {
  /// Several pictures of one request.
  struct BurstTests {
    private static func burst(
      _ pictures: UInt32, every: UInt32 = 0, _ edit: (inout WireCaptureRequest) -> Void = { _ in }
    ) -> WireCaptureRequest {
      .with {
        $0.burst = .with { ($0.pictures, $0.every) = (pictures, every) }
        edit(&$0)
      }
    }

    /// The frames of a burst; a busy machine may lose some.
    private static func frames(_ photo: Photo) -> [UInt64] {
      photo.result.pictures.map(\.resolved.frameSequence)
    }

    @Test func `A burst has frames that follow each other, each as an asset of one request`()
      async throws
    {
      try await TestNode.run(["cam=synthetic:320x240@60,format=MJPG"]) { test in
        let id = RequestID.random()
        let photo = try await test.client.photo(Self.burst(20), id: id)
        let settings = try #require(photo.steps.first?.settings)
        #expect(settings.pictures == 20 && settings.zeroShutterLag)
        for step in [WireCaptureProgress.Step.willCapture, .didCapture, .didProcess] {
          #expect(photo.steps.filter { $0.step == step }.map(\.picture).sorted() == Array(1...20))
        }
        let frames = Self.frames(photo)
        let status = try await test.client.camera()
        let lost =
          status.frames.lostByCamera + status.frames.skipped + status.frames.poolExhausted
        #expect(frames.count == 20)
        #expect(frames == Set(frames).sorted())
        #expect(frames[19] - frames[0] <= 19 + lost)
        #expect(try await test.client.assets().count == 20)
        for picture in photo.result.pictures {
          let file = try #require(picture.files.first)
          #expect(file.asset.requestID == id.data)
          let jpeg = try test.file(file.asset.path)
          #expect(try DecodedPhoto(jpeg).strip?.number == picture.resolved.frameSequence)
          let number = photo.result.pictures.firstIndex(of: picture)! + 1
          let text = String(decoding: jpeg, as: Unicode.ASCII.self)
          #expect(text.contains("<camerabus:burstIndex>\(number)</camerabus:burstIndex>"))
          #expect(text.contains("<camerabus:burstCount>20</camerabus:burstCount>"))
        }
      }
    }

    @Test func `A burst takes one of so many frames`() async throws {
      try await TestNode.run { test in
        let frames = Self.frames(try await test.client.photo(Self.burst(4, every: 3)))
        #expect(frames.count == 4)
        for (first, second) in zip(frames, frames.dropFirst()) { #expect(second - first >= 3) }
      }
    }

    @Test func `A burst of the past begins in the ring, and goes on behind it`() async throws {
      try await TestNode.run { test in
        try await test.client.letPass(frames: 30)
        let newest = try await test.client.photo().result.resolved
        // Counted from the newest frame: on a busy machine the request may come later than that.
        let past = newest.timestamp.monotonicNs - 200_000_000
        let photo = try await test.client.photo(Self.burst(40) { $0.atMonotonicNs = past })
        let frames = Self.frames(photo)
        #expect(frames.count == 40 && frames == Set(frames).sorted())
        #expect(frames[0] < newest.frameSequence && frames[39] > newest.frameSequence)
      }
    }

    @Test func `A burst has all files of each picture`() async throws {
      try await TestNode.run { test in
        let photo = try await test.client.photo(
          .outputs([.raw, .jpeg]) { $0.burst.pictures = 3 })
        #expect(photo.result.pictures.count == 3)
        for picture in photo.result.pictures {
          #expect(picture.files.map(\.mediaType) == ["image/x-raw", "image/jpeg"])
          let jpeg = try test.file(picture.files[1].asset.path)
          #expect(try DecodedPhoto(jpeg).strip?.number == picture.resolved.frameSequence)
        }
        let places = photo.steps.filter { $0.step == .didProcess }.map { [$0.picture, $0.file] }
        #expect(Set(places).count == 6)
      }
    }

    @Test func `A burst that loses its camera fails once, and says what it has`() async throws {
      try await TestNode.run(["cam=synthetic:320x240@10,format=YUYV"]) { test in
        let id = RequestID.random()
        try await test.client.send(
          .capture(Self.burst(100)), id: id, remaining: .seconds(60))
        _ = try await test.client.progress(id) { body -> Bool? in
          guard case .captureProgress(let progress)? = body else { return nil }
          return progress.step == .didProcess && progress.picture == 2 ? true : nil
        }
        try await test.client.set(["disconnect": 1])
        let replies = try await test.client.conversation(id)
        guard case .error(let error)? = replies.last?.wire.body else {
          throw Unexpected(replies.last)
        }
        let count = try await test.client.assets().count
        #expect(count > 0 && count < 100)
        #expect(error.message.hasSuffix("; \(count) of 100 files are in the library"))
        #expect(error.keptFiles == count)
        #expect(replies.count { $0.wire.final } == 1)
      }
    }

    @Test func `A burst can be cancelled before its first frame, not later`() async throws {
      try await TestNode.run { test in
        let now = try await test.client.status().now.monotonicNs
        let id = RequestID.random()
        try await test.client.send(
          .capture(Self.burst(3) { $0.atMonotonicNs = now + 3_600_000_000_000 }), id: id,
          remaining: .seconds(7200))
        _ = try await test.client.progress(id) { $0?.captureStep == .willBegin ? true : nil }
        _ = try await test.client.ask(.cancel(.with { $0.request = id.data }))
        guard case .error(let error)? = try await test.client.conversation(id).last?.wire.body
        else {
          throw Unexpected(nil)
        }
        #expect(error.code == .cancelled)
      }
    }

    @Test func `A burst whose time is over fails, and keeps what it has`() async throws {
      try await TestNode.run { test in
        let id = RequestID.random()
        try await test.client.send(
          .capture(Self.burst(100, every: 30)), id: id, remaining: .milliseconds(700))
        let replies = try await test.client.conversation(id)
        guard case .error(let error)? = replies.last?.wire.body else {
          throw Unexpected(replies.last)
        }
        #expect(error.code == .deadlineExceeded)
        #expect(error.message.contains("of 100 files are in the library"))
      }
    }
  }
}
