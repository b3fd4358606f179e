import DequeModule
package import EventLoop
import Imaging

/// The threads that make JPEGs, for all cameras of a node. Its calls are for the frame loop.
///
/// Stills go first and wait in a queue that `PhotoOutput` bounds. Streams never queue: each has one frame that waits, and
/// a newer one takes its place. A worker that is done takes what waits by itself, so that no core stands idle until
/// the frame loop has heard of it.
package final class EncoderPool: Sendable {
  final class Worker: Sendable {
    let loop: EventLoop
    fileprivate let encoder: EncoderBox

    init(name: String) throws(ImagingError) {
      loop = EventLoop(name: name)
      encoder = EncoderBox(try FrameEncoder())
    }
  }

  // @unchecked: used on its worker's thread only.
  fileprivate final class EncoderBox: @unchecked Sendable {
    let value: FrameEncoder
    init(_ value: FrameEncoder) { self.value = value }
  }

  private typealias Finished = (job: EncodeJob, result: Result<Frame, CaptureError>)

  /// What waits, who waits for it, and what is done.
  private struct Board {
    var photos: Deque<EncodeJob> = []
    /// In the order of their turns.
    var streams: [EncodeJob] = []
    var idle: [Worker]
    var finished: Deque<Finished> = []
    var isStopping = false

    /// The next job; without one the worker is idle from now on.
    mutating func takeJob(for worker: Worker) -> EncodeJob? {
      if !isStopping {
        if let photo = photos.popFirst() { return photo }
        if !streams.isEmpty { return streams.removeFirst() }
      }
      idle.append(worker)
      return nil
    }
  }

  private let loop: EventLoop
  let workers: [Worker]
  private let board: Mutex<Board>

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
    board = Mutex(Board(idle: workers))
  }

  /// Ends the threads, after what they are at; what waits for one is let go. Called off the frame loop, which must
  /// still run.
  package func stop() {
    beginStopping()
    for worker in workers { worker.loop.stop() }
  }

  /// From now on nothing is begun.
  func beginStopping() {
    board.withLock { board in
      board.isStopping = true
      board.photos = []
    }
  }

  /// A still: waits for a worker if need be.
  func encodePhoto(_ job: EncodeJob) {
    add { $0.photos.append(job) }
  }

  /// A stream's frame: waits for its turn. The stream brings newer ones by `replace`.
  func encode(_ job: EncodeJob) {
    add { $0.streams.append(job) }
  }

  /// Puts a newer frame in the place of one that waits; false when the job waits no more, or not for such a frame.
  func replace(_ job: EncodeJob, with frame: Frame) -> Bool {
    board.withLock { board in
      board.streams.contains { $0 === job } && job.replaceSource(with: frame)
    }
  }

  /// Takes back a stream's job; false when it waits no more.
  func withdraw(_ job: EncodeJob) -> Bool {
    board.withLock { board in
      guard let index = board.streams.firstIndex(where: { $0 === job }) else { return false }
      board.streams.remove(at: index)
      return true
    }
  }

  private func add(_ job: (inout Board) -> Void) {
    let worker = board.withLock { board in
      job(&board)
      return board.isStopping ? nil : board.idle.popLast()
    }
    if let worker { worker.loop.perform { [self] in work(worker) } }
  }

  /// On the worker's thread: makes pictures until none waits.
  private func work(_ worker: Worker) {
    var next = board.withLock { $0.takeJob(for: worker) }
    while let job = next {
      let result = job.run(worker.encoder.value)
      let isFirst: Bool
      (next, isFirst) = board.withLock { board in
        board.finished.append((job, result))
        return (board.takeJob(for: worker), board.finished.count == 1)
      }
      if isFirst { loop.perform { [self] in complete() } }
    }
  }

  /// On the frame loop.
  private func complete() {
    while let (job, result) = board.withLock({ $0.finished.popFirst() }) { job.complete(result) }
  }
}
