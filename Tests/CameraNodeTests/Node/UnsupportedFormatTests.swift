import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  /// Cameras whose frames cannot be made JPEGs.
  struct UnsupportedFormatTests {
    @Test(arguments: ["RGBP"])
    func `A stream of frames that cannot be encoded is refused with the reason`(format: String)
      async throws
    {
      try await TestNode.run(["cam=synthetic:320x240@60,format=\(format)"]) { test in
        let client = test.client
        try await client.follow()
        for stream in ["preview", "full", "raw"] {
          await client.subscribe(frames: "frame/cam/\(stream)/")
        }
        let told = try await client.state { status in
          status.streams.contains { $0.name == "preview" && $0.subscribers == 1 && $0.hasError }
        }
        let refused = try #require(told.streams.first { $0.name == "preview" })
        #expect(refused.error.code == .unsupportedFormat)
        #expect(
          refused.error.message
            == "no JPEG can be made of \(format) frames: give the camera another of its formats, "
            + "or subscribe to its stream raw")
        try await rawFrames(3, client)
        let raw = try await client.camera()
        #expect(raw.streams.contains { $0.name == "raw" && $0.published > 2 })
        for stream in raw.streams where stream.name != "raw" {
          #expect(stream.hasError)
          #expect((stream.encoded, stream.published, stream.encodingFailed) == (0, 0, 0))
        }
        #expect(try #require(raw.streams.first { $0.name == "raw" }).hasError == false)

        let mark = await client.eventCount
        try await client.ask(.configure(.with { $0.pixelFormat = "YUYV" }))
        _ = try await client.state(from: mark) { $0.readiness == .ready }
        let camera = try await client.camera { camera in
          camera.streams.contains { $0.name == "full" && $0.published > 0 }
        }
        #expect(camera.streams.allSatisfy { !$0.hasError })
      }
    }

    @Test func `Photos and movies are refused with the reason, and readiness says so`()
      async throws
    {
      try await TestNode.run(["cam=synthetic:320x240@60,format=RGBP"]) { test in
        let client = test.client
        let requests = [
          WireRequest.OneOf_Body.capture(.inline()), .recordStart(WireRecordStartRequest()),
        ]
        for request in requests {
          let error = try await client.error(request)
          #expect(error.code == .unsupportedFormat)
          #expect(!error.retryable)
          #expect(error.message.contains("another of its formats"))
        }
        let later = try await client.error(.capture(.outputs([.raw]) { $0.deferred = true }))
        #expect(later.code == .unsupportedFormat)
        #expect(later.field == "capture.deferred")
        #expect(later.message.contains("let the photo's files be made at once"))
        await client.subscribe(frames: "frame/cam/raw/")
        var camera = try await client.camera()
        var frames = 0
        while camera.readiness == .notReadyMomentarily {
          frames += 1
          try await rawFrames(frames, client)
          camera = try await client.camera()
        }
        #expect(camera.readiness == .notReadyUnsupportedFormat)
        #expect(!camera.hasRecording)
      }
    }

    /// Waits until so many frames have come in all.
    private func rawFrames(_ count: Int, _ client: TestClient) async throws {
      _ = try await client.arrival { client in
        client.frames.count { $0.topic == "frame/cam/raw/" } >= count ? true : nil
      }
    }
  }
}
