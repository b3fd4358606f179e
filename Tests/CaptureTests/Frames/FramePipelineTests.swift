import EventLoop
import Imaging
import TestSupport
import Testing

@testable import Capture

struct FramePipelineTests {
  /// Collects what comes.
  private final class Sink: FrameConsumer, Sendable {
    let sequences = Recorded<UInt64>()
    func receive(_ frame: Frame) { sequences.add(frame.metadata.sequence) }
  }

  @Test func `When frames are held, the past is given up before the present`() async throws {
    let limits = PipelineLimits(ringDuration: 100_000_000, framesInUse: 4)
    try await Rig.with(limits: limits) { rig in
      let pipeline = rig.pipeline
      let (capacity, held, count, lost) = await rig.frameLoop.run {
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

  @Test func `A frame is awaited while somebody wants the camera's frames`() async throws {
    try await Rig.with { rig in
      let (sink, pipeline) = (Sink(), rig.pipeline)
      let awaited = await rig.frameLoop.run {
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

  @Test func `Losses are counted by their reason`() async throws {
    try await Rig.with { rig in
      let sink = Sink()
      let pipeline = rig.pipeline
      await rig.frameLoop.run { pipeline.add(sink) }
      _ = try await rig.session.set([
        .init(ControlID(rawValue: "inject_error_buffers"), to: .integer(3))
      ])
      await sink.sequences.wait { $0.count >= 20 }
      let counters = await rig.frameLoop.run { pipeline.counters }
      #expect(counters.corrupted == 3)
      #expect(counters.delivered >= 2)
    }
  }

  @Test func `What became of frames can be asked while the frame loop is busy`() async throws {
    try await Rig.with { rig in
      let (sink, pipeline) = (Sink(), rig.pipeline)
      await rig.frameLoop.run { pipeline.add(sink) }
      await sink.sequences.wait { $0.count >= 3 }
      rig.frameLoop.whileBlocked {
        #expect(pipeline.counters.delivered >= 3)
        #expect(pipeline.ringReach > 0)
      }
    }
  }

  @Test func `Who hears of the first frame finds it counted and in the ring`() async throws {
    try await Rig.with(isStarted: false) { rig in
      let found = Recorded<[UInt64]>()
      let (pipeline, frame) = (rig.pipeline, try Frame.sample(at: 1))
      let format = StreamFormat(
        layout: frame.layout, maximumByteCount: frame.capacity, frameRate: nil,
        devicePixelFormat: frame.layout.pixelFormat)
      await rig.frameLoop.run {
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

  @Test func `The ring reaches back as long as it may`() async throws {
    try await Rig.with(limits: PipelineLimits(ringDuration: 200_000_000)) { rig in
      let sink = Sink()
      let pipeline = rig.pipeline
      await rig.frameLoop.run { pipeline.add(sink) }
      await sink.sequences.wait { $0.count >= 13 }
      let (capacity, reach) = await rig.frameLoop.run {
        (pipeline.ring.capacity, pipeline.ring.reach)
      }
      #expect(capacity == 13)
      #expect(reach >= 199_999_990)
    }
  }
}
