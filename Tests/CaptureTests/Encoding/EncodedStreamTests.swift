import EventLoop
import Imaging
import TestSupport
import Testing

@testable import Capture

struct EncodedStreamTests {
  /// Collects the frames of a stream.
  final class Sink: FrameConsumer, Sendable {
    let frames = Recorded<Frame>()
    func receive(_ frame: Frame) { frames.add(frame) }
  }

  // @unchecked: the stream is touched on the camera's frame loop only.
  private struct Confined: @unchecked Sendable {
    let stream: EncodedStream
  }

  private func stream(_ camera: TestCamera, fitting bound: ImageSize? = nil) async -> Confined {
    await camera.frameLoop.run {
      Confined(
        stream: EncodedStream(
          pipeline: camera.pipeline, encoders: camera.encoders,
          kind: PictureKind(fitting: bound, quality: 80)))
    }
  }

  /// Runs `body` while the sinks consume the stream.
  private func listen<E: Error>(
    _ sinks: Sink..., to stream: Confined, _ camera: TestCamera, _ body: () async throws(E) -> Void
  ) async throws(E) {
    await camera.frameLoop.run { for sink in sinks { stream.stream.add(sink) } }
    try await body()
    await camera.frameLoop.run { for sink in sinks { stream.stream.remove(sink) } }
  }

  @Test func `Nothing is encoded while there are no consumers`() async throws {
    try await TestCamera.with { camera in
      let stream = await stream(camera)
      let sink = Sink()
      _ = await camera.photo(.next)
      #expect(await camera.frameLoop.run { stream.stream.counters } == EncodedStream.Counters())
      await listen(sink, to: stream, camera) { await sink.frames.wait { $0.count >= 5 } }
      // A frame that is being encoded is still finished and counted. Each photo waits for one
      // frame.
      while await camera.frameLoop.run({ stream.stream.isEncoding }) {
        _ = await camera.photo(.next)
      }
      let encoded = await camera.frameLoop.run { stream.stream.counters.encoded }
      #expect(encoded >= 5)
      _ = await camera.photo(.next)
      _ = await camera.photo(.next)
      #expect(await camera.frameLoop.run { stream.stream.counters.encoded } == encoded)
    }
  }

  @Test func `Frames of which no JPEG can be made are not tried`() async throws {
    try await TestCamera.with("320x240@60,format=RGBP") { camera in
      let stream = await stream(camera)
      let (sink, raw) = (Sink(), Sink())
      await listen(sink, to: stream, camera) {
        await camera.frameLoop.run { camera.pipeline.add(raw) }
        await raw.frames.wait { $0.count >= 3 }
        await camera.frameLoop.run { camera.pipeline.remove(raw) }
      }
      #expect(await camera.frameLoop.run { stream.stream.counters } == EncodedStream.Counters())
      #expect(sink.frames.events.isEmpty)
    }
  }

  @Test func `One encoding serves all consumers, in the camera's order`() async throws {
    try await TestCamera.with { camera in
      let stream = await stream(camera)
      let sinks = (Sink(), Sink())
      // The sinks keep the frames, so no more come than the stream has memory for.
      await listen(sinks.0, sinks.1, to: stream, camera) {
        await sinks.1.frames.wait { $0.count >= 10 }
      }
      let first = sinks.0.frames.events.prefix(10)
      let second = sinks.1.frames.events.prefix(10)
      #expect(zip(first, second).allSatisfy { $0 === $1 })
      let sequences = first.map(\.metadata.sequence)
      #expect(sequences == sequences.sorted() && Set(sequences).count == 10)
    }
  }

  @Test func `A camera's own JPEGs pass through untouched`() async throws {
    try await TestCamera.with("640x480@30,format=MJPG") { camera in
      let stream = await stream(camera)
      let (sink, raw) = (Sink(), Sink())
      await camera.frameLoop.run { camera.pipeline.add(raw) }
      await listen(sink, to: stream, camera) {
        await sink.frames.wait { $0.count >= 3 }
        await raw.frames.wait { $0.count >= 3 }
      }
      let frames = raw.frames.events
      #expect(sink.frames.events.prefix(3).allSatisfy { frame in frames.contains { $0 === frame } })
      let counters = await camera.frameLoop.run { stream.stream.counters }
      #expect(counters.encoded == 0 && counters.passedThrough >= 3)
    }
  }

  @Test(arguments: ["MJPG", "YUYV", "NV12", "RGB3"])
  func `Frames are scaled down to fit`(format: String) async throws {
    try await TestCamera.with("1280x720@15,format=\(format)") { camera in
      let stream = await stream(camera, fitting: ImageSize(width: 320, height: 320))
      let sink = Sink()
      await listen(sink, to: stream, camera) { await sink.frames.wait { !$0.isEmpty } }
      let frame = try #require(sink.frames.events.first)
      let decoder = try JPEGDecoder()
      let decoded = try frame.withBytes { (bytes) throws(ImagingError) in
        try decoder.decodeRGB(bytes).size
      }
      #expect(decoded == ImageSize(width: 320, height: 180))
      #expect(frame.layout.size == decoded)
      #expect(frame.metadata.encodeFinished >= frame.metadata.encodeStarted)
    }
  }

  @Test(
    arguments: [
      (1920, 1080, 640, 640, 640, 360), (1080, 1920, 640, 640, 360, 640),
      (320, 240, 640, 640, 320, 240),
      (640, 480, 640, 640, 640, 480), (1000, 10, 16, 16, 16, 2),
    ] as [(Int, Int, Int, Int, Int, Int)])
  func `A size is fitted into another without changing its aspect`(
    width: Int, height: Int, boundWidth: Int, boundHeight: Int, expectedWidth: Int,
    expectedHeight: Int
  ) {
    let fitted = ImageSize(width: width, height: height)
      .fitted(into: ImageSize(width: boundWidth, height: boundHeight))
    #expect(fitted == ImageSize(width: expectedWidth, height: expectedHeight))
  }
}
