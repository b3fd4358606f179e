import CameraProtocol
import CaptureSynthetic
import EventLoop
import Foundation
import Imaging
import OperatingSystem
import Testing

extension NodeTests {
  struct StreamTests {
    private func encoded(_ camera: WireCameraStatus) -> UInt64 {
      camera.streams.reduce(0) { $0 + $1.encoded }
    }

    /// The first `count` frames of a topic.
    private func frames(
      _ count: Int, of topic: String, _ client: TestClient
    ) async throws -> [Publication] {
      try await client.arrival { client in
        let frames = client.frames.filter { $0.topic == topic }
        return frames.count >= count ? Array(frames.prefix(count)) : nil
      }
    }

    @Test
    func `Nothing is encoded before the first subscriber comes and after the last one leaves`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.letPass(frames: 5)
        #expect(try await client.camera().streams.isEmpty)

        await client.subscribe(frames: "frame/cam/preview/")
        _ = try await frames(5, of: "frame/cam/preview/", client)
        let live = try #require(try await client.camera().streams.first)
        #expect(live.name == "preview")
        #expect(live.subscribers == 1)
        #expect(live.encoded >= 5)
        #expect(live.published >= 5)

        await client.unsubscribe(frames: "frame/cam/preview/")
        _ = try await client.camera { $0.streams.allSatisfy { $0.subscribers == 0 } }
        try await client.letPass(frames: 3)
        let before = try await client.camera()
        // Encoders finish the frames they had begun when the subscriber left, late on a busy
        // machine.
        let encoders = ProcessInfo.processInfo.activeProcessorCount
        try await client.letPass(frames: encoders + 5)
        let after = try await client.camera()
        #expect(encoded(after) <= encoded(before) + UInt64(encoders))
        #expect(after.streams.map(\.published) == before.streams.map(\.published))
        #expect(after.frames.delivered > before.frames.delivered)
      }
    }

    @Test(arguments: ["", "frame/", "frame/cam/"])
    func `A subscriber to everything gets only the preview`(prefix: String) async throws {
      try await TestNode.run { test in
        let client = test.client
        await client.subscribe(frames: prefix)
        _ = try await frames(3, of: "frame/cam/preview/", client)
        #expect(try await client.camera().streams.map(\.name) == ["preview"])
        let topics = Set(await client.frames.map(\.topic)).subtracting([Topic.heartbeat.name])
        #expect(topics == ["frame/cam/preview/"])
      }
    }

    @Test(arguments: [("preview", 640), ("full", 1280), ("320x240", 320)])
    func `A stream's JPEGs have its size and show the frame that the header names`(
      stream: String, width: Int
    ) async throws {
      try await TestNode.run(["cam=synthetic:1280x720@30,format=NV12"]) { test in
        let topic = "frame/cam/\(stream)/"
        await test.client.subscribe(frames: topic)
        let frame = try #require(try await frames(1, of: topic, test.client).first)
        let header = frame.header.frame
        let picture = try DecodedPhoto(frame.payload)
        #expect(picture.size.width == width)
        #expect(picture.size.height == width * 9 / 16)
        #expect(header.pixelFormat == "MJPG")
        #expect(
          (Int(header.size.width), Int(header.size.height)) == (
            picture.size.width, picture.size.height
          ))
        // At a quarter of its size the strip is too small to read.
        if width >= 640 {
          #expect(picture.strip?.number == header.frameSequence)
          #expect(picture.strip?.timestamp.nanoseconds == header.timestamp.monotonicNs)
        }
        #expect(header.timestamp.monotonicNs <= header.dequeuedNs)
        #expect(header.dequeuedNs <= header.copiedNs)
        #expect(header.copiedNs <= header.encodeStartedNs)
        #expect(header.encodeStartedNs < header.encodeFinishedNs)
        #expect(header.encodeFinishedNs <= frame.header.sent.monotonicNs)
      }
    }

    @Test func `Raw frames are the camera's bytes`() async throws {
      try await TestNode.run { test in
        await test.client.subscribe(frames: "frame/cam/raw/")
        let frame = try #require(try await frames(1, of: "frame/cam/raw/", test.client).first)
        let header = frame.header.frame
        #expect(header.pixelFormat == "YUYV")
        #expect(header.bytesPerLine == 640)
        #expect((header.encodeStartedNs, header.encodeFinishedNs) == (0, 0))
        let layout = try ImageLayout(
          size: ImageSize(width: 320, height: 240), pixelFormat: .yuyv, range: .limited)
        #expect(frame.payload.count == layout.byteCount)
        let strip = unsafe FrameStrip.read(frame.payload.span.bytes, layout: layout)
        #expect(strip?.number == header.frameSequence)
      }
    }

    @Test func `A camera's JPEGs are published unchanged`() async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=MJPG"]) { test in
        let client = test.client
        await client.subscribe(frames: "frame/cam/full/")
        let frame = try #require(try await frames(1, of: "frame/cam/full/", client).first)
        #expect(frame.header.frame.encodeStartedNs == 0)
        #expect(try DecodedPhoto(frame.payload).strip?.number == frame.header.frame.frameSequence)
        let stream = try #require(try await client.camera().streams.first)
        #expect(stream.encoded == 0)
        #expect(stream.published > 0)
      }
    }

    @Test func `Each topic is numbered from one, and its frames are in order`() async throws {
      try await TestNode.run { test in
        let client = test.client
        for stream in ["raw", "full"] { await client.subscribe(frames: "frame/cam/\(stream)/") }
        let epoch = try await client.ask(.status(WireStatusRequest())).first?.wire.epoch
        for stream in ["raw", "full"] {
          let frames = try await frames(10, of: "frame/cam/\(stream)/", client)
          // The newest frame wins: frames that wait too long for this reader are dropped, and their
          // numbers are missing here.
          let places = frames.map(\.header.sequence)
          #expect(places.first == 1)
          #expect(places == places.sorted() && Set(places).count == 10)
          let numbers = frames.map(\.header.frame.frameSequence)
          #expect(numbers == numbers.sorted())
          #expect(Set(numbers).count == 10)
          #expect(frames.allSatisfy { $0.header.epoch == epoch })
        }
      }
    }
  }
}
