import EventLoop
import Imaging
import TestSupport
import Testing

@testable import Capture

struct EncodedStreamTests {
  /// Collects what a stream gives.
  final class Sink: FrameConsumer, Sendable {
    let frames = Recorded<Frame>()
    func receive(_ frame: Frame) { frames.add(frame) }
  }

  // @unchecked: the stream is touched on the rig's frame loop only.
  private struct Confined: @unchecked Sendable {
    let stream: EncodedStream
  }

  private func stream(_ rig: Rig, fitting bound: ImageSize? = nil) async -> Confined {
    await rig.frameLoop.run {
      Confined(
        stream: EncodedStream(
          pipeline: rig.pipeline, encoders: rig.encoders, fitting: bound, quality: 80))
    }
  }

  /// Runs `body` while the sinks listen to the stream.
  private func listen<E: Error>(
    _ sinks: Sink..., to stream: Confined, _ rig: Rig, _ body: () async throws(E) -> Void
  ) async throws(E) {
    await rig.frameLoop.run { for sink in sinks { stream.stream.add(sink) } }
    try await body()
    await rig.frameLoop.run { for sink in sinks { stream.stream.remove(sink) } }
  }

  @Test func `Nothing is encoded while nobody listens`() async throws {
    try await Rig.with { rig in
      let stream = await stream(rig)
      let sink = Sink()
      _ = await rig.photo(.next)
      #expect(await rig.frameLoop.run { stream.stream.counters } == EncodedStream.Counters())
      await listen(sink, to: stream, rig) { await sink.frames.wait { $0.count >= 5 } }
      // What an encoder is at is finished and counted; photos pass the time until then.
      while await rig.frameLoop.run({ stream.stream.isEncoding }) { _ = await rig.photo(.next) }
      let encoded = await rig.frameLoop.run { stream.stream.counters.encoded }
      #expect(encoded >= 5)
      _ = await rig.photo(.next)
      _ = await rig.photo(.next)
      #expect(await rig.frameLoop.run { stream.stream.counters.encoded } == encoded)
    }
  }

  @Test func `One encoding serves all who listen, in the camera's order`() async throws {
    try await Rig.with { rig in
      let stream = await stream(rig)
      let sinks = (Sink(), Sink())
      // The sinks keep the frames, so no more come than the stream's memory holds.
      await listen(sinks.0, sinks.1, to: stream, rig) {
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
    try await Rig.with("640x480@30,format=MJPG") { rig in
      let stream = await stream(rig)
      let (sink, raw) = (Sink(), Sink())
      await rig.frameLoop.run { rig.pipeline.add(raw) }
      await listen(sink, to: stream, rig) {
        await sink.frames.wait { $0.count >= 3 }
        await raw.frames.wait { $0.count >= 3 }
      }
      let frames = raw.frames.events
      #expect(sink.frames.events.prefix(3).allSatisfy { frame in frames.contains { $0 === frame } })
      let counters = await rig.frameLoop.run { stream.stream.counters }
      #expect(counters.encoded == 0 && counters.passedThrough >= 3)
    }
  }

  @Test(arguments: ["MJPG", "YUYV", "NV12", "RGB3"])
  func `Frames are scaled down to fit`(format: String) async throws {
    try await Rig.with("1280x720@15,format=\(format)") { rig in
      let stream = await stream(rig, fitting: ImageSize(width: 320, height: 320))
      let sink = Sink()
      await listen(sink, to: stream, rig) { await sink.frames.wait { !$0.isEmpty } }
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
  func `A size is fitted without changing its aspect`(
    width: Int, height: Int, boundWidth: Int, boundHeight: Int, expectedWidth: Int,
    expectedHeight: Int
  ) {
    let fitted = ImageSize(width: width, height: height)
      .fitted(into: ImageSize(width: boundWidth, height: boundHeight))
    #expect(fitted == ImageSize(width: expectedWidth, height: expectedHeight))
  }
}
