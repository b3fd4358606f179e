package import EventLoop
import Imaging

/// The threads that make JPEGs, for all cameras of a node. Confined to the frame loop.
///
/// Stills go first and wait in a queue that `PhotoOutput` bounds. Streams never queue: each offers its newest
/// frame when a worker is free, and what is overtaken meanwhile is dropped.
// @unchecked: every member is touched on the frame loop only.
package final class EncoderPool: @unchecked Sendable {
  private final class Worker: Sendable {
    let loop: EventLoop
    let encoder: EncoderBox
    init(name: String) throws(ImagingError) {
      loop = EventLoop(name: name)
      encoder = EncoderBox(try FrameEncoder())
    }
  }

  // @unchecked: used on its worker's thread only.
  private final class EncoderBox: @unchecked Sendable {
    let value: FrameEncoder
    init(_ value: FrameEncoder) { self.value = value }
  }

  private let loop: EventLoop
  private let workers: [Worker]
  private var idle: [Worker]
  private var photos: [EncodeJob] = []
  private var streams: [EncodedStream] = []
  private var isStopping = false

  /// - Parameter workers: threads to encode on, usually one a core.
  package init(loop: EventLoop, workers count: Int) throws(CaptureError) {
    self.loop = loop
    var workers: [Worker] = []
    do throws(ImagingError) {
      for index in 0..<max(1, count) { workers.append(try Worker(name: "encode-\(index)")) }
    } catch {
      throw CaptureError(.encodingFailed, "no JPEG encoder: \(error.message)")
    }
    self.workers = workers
    idle = workers
  }

  /// Ends the threads, after what they are at; what waits for one is let go. Called off the frame loop, which must
  /// still run.
  package func stop() {
    loop.performAndWait { [self] in
      isStopping = true
      photos = []
      streams = []
    }
    for worker in workers { worker.loop.stop() }
  }

  var threadCount: Int { workers.count }
  var hasIdleWorker: Bool { !idle.isEmpty && !isStopping }

  /// A still: waits for a worker if need be.
  func encodePhoto(_ job: EncodeJob) {
    if !start(job) { photos.append(job) }
  }

  /// A stream's frame: false when no worker is free.
  func start(_ job: EncodeJob) -> Bool {
    guard !isStopping, let worker = idle.popLast() else { return false }
    worker.loop.perform { [self] in
      job.run(worker.encoder.value)
      loop.perform { [self] in
        idle.append(worker)
        job.complete()
        assignWork()
      }
    }
    return true
  }

  /// The stream has a frame and wants the next free worker.
  func wait(_ stream: EncodedStream) {
    if !streams.contains(where: { $0 === stream }) { streams.append(stream) }
  }

  func leave(_ stream: EncodedStream) {
    streams.removeAll { $0 === stream }
  }

  private func assignWork() {
    while hasIdleWorker {
      if !photos.isEmpty {
        _ = start(photos.removeFirst())
      } else if !streams.isEmpty {
        streams.removeFirst().takeTurn()
      } else {
        return
      }
    }
  }
}
