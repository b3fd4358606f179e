import Dispatch
import EventLoop
import Imaging
import OperatingSystem
import TestSupport

@testable import Capture

extension EncoderPoolTests {
  /// A pool whose first worker is blocked until `release`. By default it is the only one.
  // @unchecked: streams and order are touched on the frame loop only.
  final class Bench: @unchecked Sendable {
    let loop = EventLoop(name: "test-frames")
    let encoders: EncoderPool
    let pipeline: FramePipeline
    private let gate = DispatchSemaphore(value: 0)
    /// The timestamps of the frames that were encoded.
    let made = Recorded<Int64>()
    private var listeners: [(sink: Sink, stream: EncodedStream)] = []

    init(workers: Int, patience: Duration) throws {
      encoders = try EncoderPool(loop: loop, workers: workers, patience: patience)
      pipeline = FramePipeline(loop: loop, encoders: encoders)
      let gate = gate
      encoders.workers[0].loop.perform { gate.wait() }
    }

    func release() { gate.signal() }

    func stream(
      to sink: Sink? = nil, fitting size: ImageSize? = nil, rank: EncoderPool.Rank = .first
    ) -> EncodedStream {
      let stream = EncodedStream(
        pipeline: pipeline, encoders: encoders,
        kind: PictureKind(fitting: size, quality: 80, rank: rank))
      let sink = sink ?? Sink(made)
      stream.add(sink)
      listeners.append((sink, stream))
      return stream
    }

    /// Breaks the cycle between the pipeline and its streams.
    func close() {
      for (sink, stream) in listeners { stream.remove(sink) }
      listeners = []
    }

    func photo(of frame: Frame) throws {
      let pool = FramePool.jpegs(of: frame.layout.size, limit: 1)
      guard let draft = pool.take() else { throw CaptureError(.overloaded, "a new pool is empty") }
      encoders.developPhoto(
        EncodeJob(frame, into: draft, size: nil, orientation: .upright, quality: 80) {
          [made] result in
          if case .success(let photo) = result { made.add(photo.metadata.timestamp.nanoseconds) }
        }, isPlain: true)
    }
  }

  final class Sink: FrameConsumer {
    private let made: Recorded<Int64>
    init(_ made: Recorded<Int64>) { self.made = made }
    func receive(_ frame: Frame) { made.add(frame.metadata.timestamp.nanoseconds) }
  }
}
