import Capture
import Dispatch
import EventLoop
import Glibc
import OperatingSystem

/// Takes a driver's events and filled buffers, on a thread of its own.
///
/// A driver may hold every one of its calls, while a slow control is set or for ever. So the calls
/// that a stream needs are made here, and the frame loop, which serves all cameras, makes none.
/// What was taken is lent to the frame loop; the thread waits for it and gives the buffer back to
/// the driver.
// @unchecked: the session's thread makes and ends it, and the frame loop begins it; in between only
// its own thread uses it.
final class BufferDrain: @unchecked Sendable {
  /// What one look at the driver has found.
  struct Take: Sendable {
    /// A good buffer with its frame's number and times.
    struct Candidate: Sendable {
      let buffer: BufferQueue.Filled
      let sequence: UInt64
      let dequeued: MonotonicTime
      let deviceTime: DeviceTime?
    }

    var newest: Candidate?
    var changedControls: [ControlID] = []
    /// Frames that the camera did not deliver, by its numbers.
    var missing = 0
    var corrupted = 0
    /// Pictures of a video for which there was no memory.
    var exhausted = 0
    /// Good frames that had a newer one behind them.
    var skipped = 0
    /// Why the stream has ended.
    var failure: CaptureError?

    var isEmpty: Bool {
      newest == nil && changedControls.isEmpty && missing == 0 && corrupted == 0 && exhausted == 0
        && failure == nil
    }
  }

  let queue: BufferQueue
  private let node: DeviceNode
  private let events: EventQueue
  private let metadata: MetadataReader?
  private let video: VideoReader?
  private let canRead: (BufferQueue.Filled) -> Bool
  private let loop: EventLoop
  private var loan: BufferLoan?
  private var numbering = FrameNumbering()
  private var watch: Watch?

  /// - Parameters:
  ///   - video: What decodes the camera's video; nil if it sends none.
  ///   - canRead: Whether a buffer has a picture, judged by the driver's flags and sizes.
  /// - Throws: The system has no thread or descriptor left.
  init(
    node: DeviceNode, queue: BufferQueue, events: EventQueue, metadata: MetadataReader?,
    video: VideoReader?, canRead: @escaping (BufferQueue.Filled) -> Bool
  ) throws(LoopShortage) {
    self.node = node
    self.queue = queue
    self.events = events
    self.metadata = metadata
    self.video = video
    self.canRead = canRead
    loop = try .starting(name: "driver", slices: .short)
  }

  /// Begins to wait for the driver.
  /// - Parameter borrow: Called on the frame loop. It says whether to go on.
  func begin(lendingTo frameLoop: EventLoop, _ borrow: @escaping @Sendable (Take) -> Bool) {
    let loan = BufferLoan(to: frameLoop, borrow)
    self.loan = loan
    loop.perform { [self] in
      watch = loop.watch(node.descriptor, for: [.readable, .priority]) { [self] in
        look { loan.lend($0) }
      }
    }
  }

  /// Ends the thread, and waits for its end: until then it may use the driver and the buffers.
  func end() {
    loop.stop()
    watch = nil
    loan?.end()
  }

  // MARK: The thread

  /// Looks at the driver once.
  /// - Parameter lend: Lends what was found to the frame loop, and says whether to go on.
  private func look(_ lend: (Take) -> Bool) {
    var new = Take()
    do throws(SystemError) {
      new.failure = takeEvents(&new.changedControls)
      if new.failure == nil { try drain(into: &new) }
    } catch {
      new.newest = nil
      new.failure = CaptureError(error, on: node.path)
    }
    guard !new.isEmpty else { return }
    guard lend(new), new.failure == nil else { return leave() }
    guard let buffer = new.newest?.buffer else { return }
    do throws(SystemError) {
      try queue.enqueue(buffer.index)
    } catch {
      var end = Take()
      end.failure = CaptureError(error, on: node.path)
      _ = lend(end)
      leave()
    }
  }

  private func leave() {
    watch?.cancel()
    watch = nil
  }

  /// Takes the driver's events. Returns the error if one ends the stream.
  private func takeEvents(_ changed: inout [ControlID]) -> CaptureError? {
    while let event = events.next() {
      switch event {
      case .controlChanged(let control): changed.append(control)
      case .sourceChanged:
        return CaptureError(
          .deviceFailed,
          "the source of \(node.path) changed its picture: it is started again"
        )
      case .endOfStream:
        return CaptureError(.deviceFailed, "the driver of \(node.path) ended the stream")
      }
    }
    return nil
  }

  /// Drains the queue to the newest good buffer. All others are counted and queued again. Of a
  /// video it takes the oldest one, because later pictures need it.
  private func drain(into take: inout Take) throws(SystemError) {
    var isEmpty = true
    // The loop is bounded, because a driver may fill buffers as fast as it gets them back.
    for _ in 0..<queue.count {
      guard let buffer = try queue.dequeue() else { break }
      let dequeued = MonotonicTime.now
      isEmpty = false
      let missing = numbering.advance(to: buffer.sequence)
      take.missing += missing
      if missing > 0 { video?.miss() }
      guard canRead(buffer) else {
        video?.miss()
        take.corrupted += 1
        try queue.enqueue(buffer.index)
        continue
      }
      if let video, !decode(buffer, with: video, &take) {
        try queue.enqueue(buffer.index)
        if take.failure == nil { continue } else { return }
      }
      if let older = take.newest {
        take.skipped += 1
        try queue.enqueue(older.buffer.index)
      }
      take.newest = Take.Candidate(
        buffer: buffer, sequence: numbering.last, dequeued: dequeued,
        deviceTime: metadata?.time(ofFrame: buffer.sequence, dequeued: dequeued))
      if video != nil { return }
    }
    if isEmpty { try checkConnection() }
  }

  /// Reads the picture of a video.
  /// - Returns: False if the buffer has none.
  private func decode(
    _ buffer: BufferQueue.Filled, with video: VideoReader, _ take: inout Take
  ) -> Bool {
    switch queue.withBytes(of: buffer, { video.read($0.bytes) }) {
    case .picture: return true
    case .nothing: break
    case .lost(.poolExhausted): take.exhausted += 1
    case .lost: take.corrupted += 1
    case .failed(let error): take.failure = error
    }
    return false
  }

  /// Checks the device after a wakeup without a buffer: some drivers report their end only to
  /// poll(2).
  private func checkConnection() throws(SystemError) {
    var question = pollfd(fd: node.descriptor, events: 0, revents: 0)
    let isReady = try systemCall("poll") { unsafe poll(&question, 1, 0) } > 0
    guard isReady, Int32(question.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 else { return }
    throw SystemError(
      errno: Int32(question.revents) & POLLHUP == 0 ? EIO : ENODEV,
      operation: "poll"
    )
  }
}

/// Lends what was taken to the frame loop, without memory for each frame.
///
/// The last reference to a device closes it, which a driver may hold too. So the frame loop keeps
/// only this object, and nothing of the device once it has given a buffer back.
private final class BufferLoan: Sendable {
  private struct State: Sendable {
    var take = BufferDrain.Take()
    var goesOn = true
    var borrow: (@Sendable (BufferDrain.Take) -> Bool)?
    /// What the frame loop runs: one closure for all frames.
    var serve: (@Sendable () -> Void)?
  }

  private let frameLoop: EventLoop
  private let state = Mutex(State())
  private let isBack = DispatchSemaphore(value: 0)

  init(to frameLoop: EventLoop, _ borrow: @escaping @Sendable (BufferDrain.Take) -> Bool) {
    self.frameLoop = frameLoop
    state.withLock { state in
      state.borrow = borrow
      state.serve = { [self] in
        borrowNow()
        isBack.signal()
      }
    }
  }

  /// Waits until the frame loop has read what was taken.
  /// - Returns: Whether to go on.
  func lend(_ take: BufferDrain.Take) -> Bool {
    let serve = state.withLock { state in
      state.take = take
      return state.serve
    }
    guard let serve, frameLoop.performUnlessStopped(serve) else { return false }
    isBack.wait()
    return state.withLock { $0.goesOn }
  }

  func end() {
    state.withLock { ($0.borrow, $0.serve) = (nil, nil) }
  }

  // Not inlined, so that everything that it holds is released when it returns.
  @inline(never)
  private func borrowNow() {
    let (take, borrow) = state.withLock { ($0.take, $0.borrow) }
    let goesOn = borrow?(take) == true
    state.withLock { $0.goesOn = goesOn }
  }
}
