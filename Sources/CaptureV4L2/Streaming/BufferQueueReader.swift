import Capture
import EventLoop
import Glibc
import Imaging
import OperatingSystem

/// Reads the driver's buffers on the frame loop and hands frames to the receiver.
///
/// The descriptor wakes it, and it never blocks. It drains the queue to the newest good buffer and
/// copies or converts that one into the receiver's memory. The driver gets its buffer back before
/// the receiver gets the frame.
// @unchecked: the session makes and releases it; from `attach` to `detach` only the frame loop uses
// it.
final class BufferQueueReader: @unchecked Sendable {
  private let node: DeviceNode
  private let queue: BufferQueue
  private let metadata: MetadataReader?
  private let events: EventQueue
  private let writer: FrameWriter
  private let habits: PictureHabits
  private var search = HabitSearch()
  private var timing: FrameTiming
  private var numbering = FrameNumbering()
  private var receiver: (any FrameReceiver)?
  private var watch: Watch?

  init(
    node: DeviceNode,
    queue: BufferQueue,
    metadata: MetadataReader?,
    events: EventQueue,
    writer: FrameWriter,
    habits: PictureHabits,
    timing: FrameTiming
  ) {
    self.node = node
    self.queue = queue
    self.metadata = metadata
    self.events = events
    self.writer = writer
    self.habits = habits
    self.timing = timing
  }

  func attach(to loop: EventLoop, receiver: any FrameReceiver) {
    self.receiver = receiver
    watch = loop.watch(node.descriptor, for: [.readable, .priority]) { self.takeAll() }
  }

  func detach() {
    watch?.cancel()
    watch = nil
    receiver = nil
  }

  private func takeAll() {
    guard let receiver else { return }
    do throws(SystemError) {
      if let error = takeEvents(receiver) { return fail(error) }
      guard let newest = try takeNewest(receiver) else { return }
      try deliver(newest, receiver)
    } catch {
      fail(CaptureError(error, on: node.path))
    }
  }

  private func fail(_ error: CaptureError) {
    watch?.cancel()
    watch = nil
    receiver?.failed(error)
  }

  // MARK: Events

  /// Reports changed controls. Returns the error if an event ends the stream.
  private func takeEvents(_ receiver: any FrameReceiver) -> CaptureError? {
    while let event = events.next() {
      switch event {
      case .controlChanged(let control):
        timing.controlChanged(control)
        receiver.controlChanged(control)
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

  // MARK: Buffers

  /// A good buffer with its frame's number and time.
  private struct Candidate {
    let buffer: BufferQueue.Filled
    let sequence: UInt64
    let dequeued: MonotonicTime
  }

  /// Drains the queue and returns the newest good buffer. All others are counted and queued again.
  private func takeNewest(_ receiver: any FrameReceiver) throws(SystemError) -> Candidate? {
    var newest: Candidate?
    var isEmpty = true
    // The loop is bounded, because a driver may fill buffers as fast as it gets them back.
    for _ in 0..<queue.count {
      guard let buffer = try queue.dequeue() else { break }
      isEmpty = false
      let missing = numbering.advance(to: buffer.sequence)
      if missing > 0 { receiver.lost(missing, .camera) }
      guard writer.canRead(buffer, of: queue) else {
        receiver.lost(1, .corrupted)
        try queue.enqueue(buffer.index)
        continue
      }
      if let older = newest {
        receiver.lost(1, .skipped)
        try queue.enqueue(older.buffer.index)
      }
      newest = Candidate(buffer: buffer, sequence: numbering.last, dequeued: .now)
    }
    if isEmpty { try checkConnection() }
    return newest
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

  private func deliver(
    _ candidate: Candidate,
    _ receiver: any FrameReceiver
  ) throws(SystemError) {
    let buffer = candidate.buffer
    let time = timing.time(
      buffer.stamp, sequence: candidate.sequence, dequeued: candidate.dequeued)
    let deviceTime = metadata?.time(ofFrame: buffer.sequence, dequeued: candidate.dequeued)
    guard receiver.wants(frameOf: time.timestamp),
      var draft = receiver.draft(byteCount: writer.byteCount(of: buffer))
    else {
      return try queue.enqueue(buffer.index)
    }
    let isAwaited = draft.isAwaited
    let outcome = draft.withBytes { output in
      writer.write(buffer, of: queue, into: &output, isAwaited: isAwaited)
    }
    let copied = MonotonicTime.now
    try queue.enqueue(buffer.index)
    let byteCount: Int
    let layout: ImageLayout
    switch outcome {
    case .written(let count, let its):
      (byteCount, layout) = (count, its)
      _ = search.next(nil)
    case .lost(let reason): return receiver.lost(1, reason)
    case .differs(let habit):
      receiver.lost(1, .corrupted)
      guard search.next(habit) else { return }
      habits.learn(habit, of: writer.source)
      return fail(CaptureError(.deviceFailed, habit.announcement(writer.source)))
    }
    var facts = FrameMetadata(
      sequence: candidate.sequence,
      timestamp: time.timestamp,
      marks: time.marks,
      exposure: time.exposure,
      facts: time.facts,
      dequeued: candidate.dequeued,
      copied: copied,
      wallClock: .now()
    )
    facts.deviceTime = deviceTime
    receiver.receive(
      draft.seal(layout: layout, metadata: facts, byteCount: byteCount)
    )
  }
}
