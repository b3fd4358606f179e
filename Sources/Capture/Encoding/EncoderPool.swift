import DequeModule
package import EventLoop
import Imaging
import OperatingSystem
package import PhotoEncoding

/// The threads that make JPEGs for all cameras of a node. Used on the frame loop.
///
/// Photos wait in two queues that `PhotoOutput` bounds. Streams never queue: at most one frame of
/// each waits, and a newer one replaces it. Photos and the streams that a node always has take
/// turns, so neither costs the other more than half of the encoders. The sizes that subscribers
/// choose get the time that is left. A worker that is done takes the next job by itself, so that no
/// core is idle while the frame loop is busy.
package final class EncoderPool: Sendable {
  /// Which jobs of streams go first.
  package enum Rank: Int, Sendable {
    case first
    /// Only when no job of the first rank and no photo waits.
    case last
  }

  /// The jobs that wait, the workers that wait for jobs, and the results for the frame loop.
  private struct Board {
    /// Plain photos, and the other files and the pictures of bursts.
    var photos: [Deque<any EncoderTask>] = [[], []]
    /// Which of both had the last turn.
    var lastKind = 0
    /// By rank; within one first come, first served.
    var streams: [[any EncoderTask]] = [[], []]
    /// Whether the last job was a photo.
    var lastIsPhoto = false
    var idle: [EncoderWorker]
    var finished: Deque<any EncoderTask> = []
    var isStopping = false

    /// Takes the next job for a worker, and tells whether it is for a photo. Without one the worker
    /// becomes idle.
    mutating func takeJob(for worker: EncoderWorker) -> (job: any EncoderTask, isPhoto: Bool)? {
      if !isStopping {
        let isStreamsTurn = lastIsPhoto && !streams[Rank.first.rawValue].isEmpty
        if !isStreamsTurn, let photo = takePhoto() {
          lastIsPhoto = true
          return (photo, true)
        }
        lastIsPhoto = false
        for rank in streams.indices where !streams[rank].isEmpty {
          return (streams[rank].removeFirst(), false)
        }
      }
      idle.append(worker)
      return nil
    }

    /// They take turns, so that nobody's many files keep a plain photo waiting for long.
    private mutating func takePhoto() -> (any EncoderTask)? {
      let next = photos[1 - lastKind].isEmpty ? lastKind : 1 - lastKind
      guard let photo = photos[next].popFirst() else { return nil }
      lastKind = next
      return photo
    }

    /// Where a stream's job waits; nil if it no longer waits.
    func place(of job: any EncoderTask) -> (rank: Int, index: Int)? {
      for rank in streams.indices {
        if let index = streams[rank].firstIndex(where: { $0 === job }) { return (rank, index) }
      }
      return nil
    }
  }

  /// What the node is too late for, of all its cameras.
  package let lateness = FrameLateness()
  private let loop: EventLoop
  let workers: [EncoderWorker]
  let memory = PhotoMemory()
  /// Whether AVIF and HEIC can be made.
  package var hasEncoder: Bool { slow.encoder != nil }
  private let slow: SlowThreads
  private let board: Mutex<Board>

  /// - Parameters:
  ///   - loop: The frame loop, on which results are reported.
  ///   - count: Threads to encode on, usually one a core.
  ///   - encoder: Makes AVIF and HEIC; nil if the node makes none.
  ///   - patience: How long the threads keep the memory that photos needed.
  /// - Throws: `encodingFailed` if libjpeg-turbo cannot be set up.
  package init(
    loop: EventLoop, workers count: Int, encoder: PhotoEncoder? = nil,
    patience: Duration = .seconds(10)
  ) throws(CaptureError) {
    self.loop = loop
    slow = try SlowThreads(encoder)
    var workers: [EncoderWorker] = []
    do throws(CaptureError) {
      for index in 0..<max(1, count) {
        workers.append(try EncoderWorker(name: "encode-\(index)", patience: patience))
      }
    } catch {
      for worker in workers { worker.loop.stop() }
      slow.stop()
      throw error
    }
    self.workers = workers
    board = Mutex(Board(idle: workers))
  }

  /// Ends the threads after their current jobs and drops the waiting ones. Called off the frame
  /// loop, which must still run.
  package func stop() {
    beginStopping()
    slow.stop()
    for worker in workers { worker.loop.stop() }
  }

  /// Ends the making of files that take long, which fail.
  package func abandonSlowFiles() { slow.abandon() }

  /// Drops waiting photos; from now on no job starts.
  func beginStopping() {
    board.withLock { board in
      board.isStopping = true
      board.photos = [[], []]
    }
  }

  /// Queues work for a photo.
  /// - Parameter isPlain: Whether it is for one JPEG, which others do not keep waiting for long.
  func developPhoto(_ job: any EncoderTask, isPlain: Bool) {
    add { $0.photos[isPlain ? 0 : 1].append(job) }
  }

  /// Makes a file that takes long.
  /// - Parameters:
  ///   - photo: What it is for: photos take turns; nil for one that was taken before.
  ///   - onEnd: Called on the frame loop, unless the pool stops first.
  func finish(
    _ work: SlowWork, for photo: ObjectIdentifier? = nil,
    onEnd: @escaping @Sendable (Result<PhotoFile, CaptureError>) -> Void
  ) {
    slow.perform(work, for: photo) { [loop] result in loop.perform { onEnd(result) } }
  }

  /// Does other work for photos on the thread for files that take long.
  func pack<R: Sendable>(
    _ work: @escaping @Sendable () throws(CaptureError) -> R
  ) async throws(CaptureError) -> R {
    try await slow.pack(work)
  }

  /// Queues a stream's frame. While it waits, the stream brings newer ones by `replace`.
  func encode(_ job: EncodeJob, _ rank: Rank) {
    add { $0.streams[rank.rawValue].append(job) }
  }

  /// Queues a look at a frame.
  func measure(_ job: LumaGridJob, _ rank: Rank) {
    add { $0.streams[rank.rawValue].append(job) }
  }

  /// Replaces the frame of a waiting job; false if the job no longer waits or the layouts differ.
  func replace(_ job: EncodeJob, with frame: Frame) -> Bool {
    board.withLock { board in
      board.place(of: job) != nil && job.replaceSource(with: frame)
    }
  }

  /// Takes back a stream's job; false if it no longer waits.
  func withdraw(_ job: any EncoderTask) -> Bool {
    board.withLock { board in
      guard let (rank, index) = board.place(of: job) else { return false }
      board.streams[rank].remove(at: index)
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

  /// Runs jobs until none waits. Called on the worker's thread.
  private func work(_ worker: EncoderWorker) {
    var next = board.withLock { $0.takeJob(for: worker) }
    while let (job, isPhoto) = next {
      job.run(worker.encoder)
      if isPhoto { worker.hasServedPhoto() }
      let isFirst: Bool
      (next, isFirst) = board.withLock { board in
        board.finished.append(job)
        return (board.takeJob(for: worker), board.finished.count == 1)
      }
      if isFirst { loop.perform { [self] in reportResults() } }
    }
  }

  /// Called on the frame loop.
  private func reportResults() {
    while let job = board.withLock({ $0.finished.popFirst() }) { job.end() }
  }
}
