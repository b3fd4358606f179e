import Capture
import EventLoop
import Glibc
import Imaging

/// The frame loop's half of a device: takes buffers from the driver and hands frames to the receiver.
///
/// It is woken by the descriptor and never blocks. What waits is drained to the newest good buffer, which is copied or
/// converted once, into the receiver's memory; then the driver has its buffer back before anybody looks at the frame.
// @unchecked: the session makes it and lets go of it; from `attach` to `detach` the frame loop alone touches it.
final class FrameDelivery: @unchecked Sendable {
  private let node: DeviceNode
  private let queue: BufferQueue
  private let events: EventQueue
  private let delivery: Delivery
  private let converter: FormatConverter?
  private var numbering = FrameNumbering()
  private var receiver: (any FrameReceiver)?
  private var watch: Watch?

  init(
    node: DeviceNode,
    queue: BufferQueue,
    events: EventQueue,
    delivery: Delivery,
    converter: FormatConverter?
  ) {
    self.node = node
    self.queue = queue
    self.events = events
    self.delivery = delivery
    self.converter = converter
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

  /// Tells of changed controls; the error with which an event ends the stream.
  private func takeEvents(_ receiver: any FrameReceiver) -> CaptureError? {
    while let event = events.next() {
      switch event {
      case .controlChanged(let control):
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

  /// A good buffer, and what is known of its frame since it was taken.
  private struct Candidate {
    let buffer: BufferQueue.Filled
    let sequence: UInt64
    let dequeued: MonotonicTime
  }

  /// Empties the queue down to the newest good buffer; each of the others goes back and is counted.
  private func takeNewest(_ receiver: any FrameReceiver) throws(SystemError) -> Candidate? {
    var newest: Candidate?
    var isEmpty = true
    // Bounded, for a driver might fill buffers as fast as it gets them back.
    for _ in 0..<queue.count {
      guard let buffer = try queue.dequeue() else { break }
      isEmpty = false
      let missing = numbering.advance(to: buffer.sequence)
      if missing > 0 { receiver.lost(missing, .camera) }
      guard isWhole(buffer) else {
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

  private func isWhole(_ buffer: BufferQueue.Filled) -> Bool {
    guard !buffer.isFlawed, buffer.byteCount > 0 else { return false }
    guard converter == nil else { return true }
    let layout = delivery.stream.layout
    return layout.pixelFormat.isCompressed
      ? buffer.byteCount <= delivery.stream.maximumByteCount
      : buffer.byteCount >= layout.byteCount
  }

  /// Woken for nothing: a driver that is at its end says so to poll(2) alone.
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
    let byteCount =
      delivery.stream.layout.pixelFormat.isCompressed
      ? candidate.buffer.byteCount : delivery.stream.layout.byteCount
    guard var draft = receiver.draft(byteCount: byteCount) else {
      return try queue.enqueue(candidate.buffer.index)
    }
    let outcome = draft.withBytes { fill(&$0, from: candidate.buffer, byteCount: byteCount) }
    let copied = MonotonicTime.now
    try queue.enqueue(candidate.buffer.index)
    guard case .filled(let byteCount) = outcome else {
      if case .lost(let reason) = outcome { receiver.lost(1, reason) }
      return
    }
    let stamp = candidate.buffer.stamp.resolved(dequeued: candidate.dequeued)
    let metadata = FrameMetadata(
      sequence: candidate.sequence,
      timestamp: stamp.time,
      marks: stamp.marks,
      dequeued: candidate.dequeued,
      copied: copied,
      wallClock: .now()
    )
    receiver.receive(
      draft.seal(layout: delivery.stream.layout, metadata: metadata, byteCount: byteCount)
    )
  }

  private enum Outcome {
    case filled(byteCount: Int)
    case lost(FrameLoss)
  }

  /// The one copy out of the driver's buffer.
  private func fill(
    _ output: inout MutableRawSpan,
    from buffer: BufferQueue.Filled,
    byteCount: Int
  ) -> Outcome {
    if let converter, let target = delivery.target {
      let written = queue.withBytes(of: buffer) {
        converter.convert(&$0, from: delivery.source, to: target, into: &output)
      }
      return written == byteCount ? .filled(byteCount: byteCount) : .lost(.corrupted)
    }
    queue.withBytes(of: buffer) { picture in
      unsafe picture.withUnsafeBytes { source in
        unsafe output.withUnsafeMutableBytes { target in
          unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<byteCount]))
        }
      }
    }
    guard delivery.stream.layout.pixelFormat.isCompressed else {
      return .filled(byteCount: byteCount)
    }
    switch JPEGIntegrity.check(output.bytes.extracting(first: byteCount)) {
    case .complete(let byteCount): return .filled(byteCount: byteCount)
    case .truncated: return .lost(.truncated)
    case .notJPEG: return .lost(.corrupted)
    }
  }
}
