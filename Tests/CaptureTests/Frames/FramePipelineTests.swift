import EventLoop
import Imaging
import TestSupport
import Testing

@testable import Capture

struct FramePipelineTests {
  /// Collects the numbers of the frames that come.
  private final class Sink: FrameConsumer, Sendable {
    let sequences = Recorded<UInt64>()
    func receive(_ frame: Frame) { sequences.add(frame.metadata.sequence) }
  }

  @Test
  func `When memory is short, old frames of the ring are given up before new frames are lost`()
    async throws
  {
    let limits = PipelineLimits(ringDuration: 100_000_000, framesInUse: 4)
    try await TestCamera.with(limits: limits) { camera in
      let pipeline = camera.pipeline
      let (capacity, held, count, lost) = await camera.frameLoop.run {
        let metadata = pipeline.ring.newest?.metadata
        let layout = pipeline.ring.newest?.layout
        var held: [Frame] = []
        while let metadata, let layout, let draft = pipeline.draft(byteCount: 1) {
          held.append(draft.seal(layout: layout, metadata: metadata, byteCount: 1))
        }
        return (
          pipeline.ring.capacity, held.count, pipeline.ring.count,
          pipeline.counters.poolExhausted
        )
      }
      #expect(held == capacity + limits.framesInUse)
      #expect(count == 0 && lost == 1)
    }
  }

  @Test func `A frame is awaited while the pipeline has consumers`() async throws {
    try await TestCamera.with { camera in
      let (sink, pipeline) = (Sink(), camera.pipeline)
      let awaited = await camera.frameLoop.run {
        var awaited = [pipeline.draft(byteCount: 1)?.isAwaited]
        pipeline.add(sink)
        awaited.append(pipeline.draft(byteCount: 1)?.isAwaited)
        pipeline.remove(sink)
        awaited.append(pipeline.draft(byteCount: 1)?.isAwaited)
        return awaited
      }
      #expect(awaited == [false, true, false])
    }
  }

  @Test func `Losses are counted by reason`() async throws {
    try await TestCamera.with { camera in
      let sink = Sink()
      let pipeline = camera.pipeline
      await camera.frameLoop.run { pipeline.add(sink) }
      _ = try await camera.session.set([
        .init(ControlID(rawValue: "inject_error_buffers"), to: .integer(3))
      ])
      await sink.sequences.wait { $0.count >= 20 }
      let counters = await camera.frameLoop.run { pipeline.counters }
      #expect(counters.corrupted == 3)
      #expect(counters.delivered >= 2)
    }
  }

  @Test func `Counters can be read while the frame loop is busy`() async throws {
    try await TestCamera.with { camera in
      let (sink, pipeline) = (Sink(), camera.pipeline)
      await camera.frameLoop.run { pipeline.add(sink) }
      await sink.sequences.wait { $0.count >= 3 }
      camera.frameLoop.whileBlocked {
        #expect(pipeline.counters.delivered >= 3)
        #expect(pipeline.ringReach > 0)
      }
    }
  }

  @Test func `When the first frame is signalled, it is counted and in the ring`() async throws {
    try await TestCamera.with(isStarted: false) { camera in
      let found = Recorded<[UInt64]>()
      let (pipeline, frame) = (camera.pipeline, try Frame.sample(at: 1))
      let format = StreamFormat(
        layout: frame.layout, maximumByteCount: frame.capacity, frameRate: nil,
        devicePixelFormat: frame.layout.pixelFormat)
      await camera.frameLoop.run {
        pipeline.begin(format) { [weak pipeline] signal in
          guard case .firstFrame = signal, let pipeline else { return }
          found.add([pipeline.counters.delivered, UInt64(pipeline.ring.count)])
        }
        pipeline.receive(frame)
        pipeline.end(CaptureError(.interrupted, "the test is over"))
      }
      #expect(found.events == [[1, 1]])
    }
  }

  @Test func `The ring reaches back as far as its limit`() async throws {
    try await TestCamera.with(limits: PipelineLimits(ringDuration: 200_000_000)) { camera in
      let sink = Sink()
      let pipeline = camera.pipeline
      await camera.frameLoop.run { pipeline.add(sink) }
      await sink.sequences.wait { $0.count >= 13 }
      let (capacity, reach) = await camera.frameLoop.run {
        (pipeline.ring.capacity, pipeline.ring.reach)
      }
      #expect(capacity == 13)
      #expect(reach >= 199_999_990)
    }
  }
}
