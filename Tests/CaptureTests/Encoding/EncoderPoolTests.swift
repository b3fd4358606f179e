import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Shows how jobs wait while the only encoder is busy.
struct EncoderPoolTests {
  // @unchecked: the encoder is only compared.
  private struct Kept: @unchecked Sendable {
    let encoder: FrameEncoder
    init(_ encoder: FrameEncoder) { self.encoder = encoder }
  }

  // @unchecked: the streams are touched on the frame loop only.
  private final class Confined: @unchecked Sendable {
    var streams: [EncodedStream] = []
  }

  private func run(
    workers: Int = 1, patience: Duration = .seconds(10),
    _ body: (Bench, Confined) async throws -> Void
  ) async throws {
    let bench = try Bench(workers: workers, patience: patience)
    let confined = Confined()
    do { try await body(bench, confined) } catch {
      bench.release()
      throw error
    }
    await bench.loop.run {
      bench.close()
      confined.streams = []
    }
    bench.encoders.stop()
    bench.loop.stop()
  }

  @Test func `The newest frame is encoded, and the frames that it overtook are counted`()
    async throws
  {
    try await run { bench, confined in
      try await bench.loop.run {
        let stream = bench.stream()
        confined.streams = [stream]
        for time in Int64(1)...4 { stream.receive(try .sample(at: time)) }
        #expect(stream.counters.droppedLate == 3)
        #expect(stream.isEncoding)
      }
      bench.release()
      await bench.made.wait { !$0.isEmpty }
      #expect(bench.encoders.lateness.counts.pictures == 4)
      #expect(bench.encoders.lateness.counts.latePictures == 3)
      try await bench.loop.run { confined.streams[0].receive(try .sample(at: 5)) }
      await bench.made.wait { $0.count == 2 }
      #expect(bench.made.events == [4, 5])
      await bench.loop.run {
        let counters = confined.streams[0].counters
        #expect(counters.encoded == 2 && counters.droppedLate == 3)
        #expect(!confined.streams[0].isEncoding)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `What photos needed is given back after the last one, and what streams need is kept`()
    async throws
  {
    try await run(patience: .zero) { bench, confined in
      let worker = bench.encoders.workers[0]
      bench.release()
      let first = await worker.loop.run { Kept(worker.encoder) }
      try await bench.loop.run {
        confined.streams = [bench.stream()]
        confined.streams[0].receive(try .sample(at: 1))
      }
      await bench.made.atLeast(1)
      // What is due comes before what is queued later.
      for _ in 0..<2 { #expect(await worker.loop.run { worker.encoder === first.encoder }) }
      try await bench.loop.run { try bench.photo(of: .sample(at: 2)) }
      await bench.made.atLeast(2)
      while await worker.loop.run({ worker.encoder === first.encoder }) {}
    }
  }

  @Test func `Pictures under way keep their kind, and come before frames that pass through`()
    async throws
  {
    try await run(workers: 2) { bench, confined in
      try await bench.loop.run {
        let stream = bench.stream()
        confined.streams = [stream]
        stream.receive(try .sample(at: 1))
        stream.kind.quality = 10
        stream.receive(
          try .made(of: [1], .compressed(.mjpeg, size: .init(width: 16, height: 16)), at: 2))
        stream.receive(try .sample(at: 3))
      }
      await bench.made.wait { $0.contains(3) }
      bench.release()
      await bench.loop.run {
        let counters = confined.streams[0].counters
        #expect(counters.passedThrough == 1)
        #expect(counters.encoded + counters.droppedLate == 2)
      }
      #expect(bench.made.events == bench.made.events.sorted())
    }
  }

  @Test func `A frame that passes through overtakes one that waits for an encoder`() async throws {
    try await run { bench, confined in
      try await bench.loop.run {
        let stream = bench.stream()
        confined.streams = [stream]
        stream.receive(try .sample(at: 1))
        stream.receive(
          try .made(of: [1], .compressed(.mjpeg, size: .init(width: 16, height: 16)), at: 2))
        #expect(bench.made.events == [2])
        #expect(stream.counters.droppedLate == 1 && !stream.isEncoding)
        stream.receive(try .sample(at: 3))
        stream.kind.quality = 10
        stream.receive(try .sample(at: 4))
        #expect(stream.counters.droppedLate == 2, "the picture that waits has the old kind")
      }
      bench.release()
      await bench.made.wait { $0 == [2, 4] }
    }
  }

  @Test func `Photos and streams take turns, however many photos wait`() async throws {
    try await run { bench, confined in
      try await bench.loop.run {
        let streams = (bench.stream(), bench.stream())
        confined.streams = [streams.0, streams.1]
        streams.0.receive(try .sample(at: 1))
        streams.1.receive(try .sample(at: 2))
        for time in Int64(3)...6 { try bench.photo(of: .sample(at: time)) }
      }
      bench.release()
      await bench.made.wait { $0.count == 6 }
      #expect(bench.made.events == [3, 1, 4, 2, 5, 6])
    }
  }

  @Test func `Streams of the last rank take turns in the time that photos and others leave`()
    async throws
  {
    try await run { bench, confined in
      try await bench.loop.run {
        let sizes = (bench.stream(rank: .last), bench.stream(rank: .last))
        let named = bench.stream()
        confined.streams = [sizes.0, sizes.1, named]
        sizes.0.receive(try .sample(at: 1))
        sizes.1.receive(try .sample(at: 2))
        named.receive(try .sample(at: 3))
        for time in Int64(4)...5 { try bench.photo(of: .sample(at: time)) }
        // A newer frame keeps its stream's turn, and the one that it overtook is counted.
        sizes.0.receive(try .sample(at: 6))
        #expect(sizes.0.counters.droppedLate == 1)
        #expect(bench.encoders.lateness.counts.latePictures == 0, "sizes have what time is left")
      }
      bench.release()
      await bench.made.wait { $0.count == 5 }
      #expect(bench.made.events == [4, 3, 5, 6, 2])
    }
  }

  @Test func `Streams take turns, and a newer frame keeps its stream's turn`() async throws {
    try await run { bench, confined in
      try await bench.loop.run {
        let (first, second) = (bench.stream(), bench.stream())
        confined.streams = [first, second]
        first.receive(try .sample(at: 1))
        second.receive(try .sample(at: 2))
        first.receive(try .sample(at: 3))
      }
      bench.release()
      await bench.made.wait { $0.count == 2 }
      #expect(bench.made.events == [3, 2])
    }
  }

  @Test func `A stream without consumers is no longer encoded`() async throws {
    try await run { bench, confined in
      try await bench.loop.run {
        let sink = Sink(bench.made)
        let (left, kept) = (bench.stream(to: sink), bench.stream())
        confined.streams = [left, kept]
        left.receive(try .sample(at: 1))
        kept.receive(try .sample(at: 2))
        left.remove(sink)
        #expect(!left.isEncoding)
      }
      bench.release()
      await bench.made.wait { !$0.isEmpty }
      try await bench.loop.run { try bench.photo(of: .sample(at: 3)) }
      await bench.made.wait { $0.count == 2 }
      #expect(bench.made.events == [2, 3])
      await bench.loop.run { #expect(confined.streams[0].counters.encoded == 0) }
    }
  }

  @Test func `A frame in a new format does not replace one in the old format`() async throws {
    try await run { bench, confined in
      try await bench.loop.run {
        let stream = bench.stream()
        confined.streams = [stream]
        stream.receive(try .sample(at: 1))
        stream.receive(try .sample(at: 2, size: ImageSize(width: 32, height: 16)))
        #expect(stream.counters.droppedLate == 0)
      }
      bench.release()
      await bench.made.wait { $0.count == 2 }
      #expect(bench.made.events == [1, 2])
    }
  }

  @Test func `A frame that cannot be encoded is counted, and the stream goes on`() async throws {
    try await run { bench, confined in
      try await bench.loop.run {
        let stream = bench.stream(fitting: ImageSize(width: 8, height: 8))
        confined.streams = [stream]
        // A JPEG that has to be scaled is decoded, and this one cannot be.
        let jpeg = ImageLayout.compressed(.mjpeg, size: ImageSize(width: 16, height: 16))
        stream.receive(try .made(of: [1, 2, 3, 4], jpeg, at: 1))
        stream.receive(try .sample(at: 2))
      }
      bench.release()
      await bench.made.wait { !$0.isEmpty }
      #expect(bench.made.events == [2])
      await bench.loop.run {
        let counters = confined.streams[0].counters
        #expect(counters.failed == 1 && counters.encoded == 1)
        #expect(!confined.streams[0].isEncoding)
      }
    }
  }

  @Test func `A frame that is encoded sooner waits for the frames before it`() async throws {
    try await run(workers: 2) { bench, confined in
      bench.release()
      try await bench.loop.run {
        let stream = bench.stream()
        confined.streams = [stream]
        stream.receive(try .sample(at: 1, size: ImageSize(width: 4096, height: 4096)))
        stream.receive(try .sample(at: 2))
      }
      await bench.made.wait { $0.count == 2 }
      #expect(bench.made.events == [1, 2])
    }
  }

  @Test func `A pool that stops drops the jobs that wait`() async throws {
    try await run { bench, confined in
      try await bench.loop.run {
        let stream = bench.stream()
        confined.streams = [stream]
        stream.receive(try .sample(at: 1))
        try bench.photo(of: .sample(at: 2))
      }
      bench.encoders.beginStopping()
      bench.release()
      bench.encoders.stop()
      await bench.loop.run { #expect(bench.made.events.isEmpty) }
    }
  }
}
