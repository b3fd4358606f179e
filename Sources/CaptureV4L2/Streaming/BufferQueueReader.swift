import Capture
import EventLoop
import Imaging
import OperatingSystem

/// Makes frames of a driver's buffers on the frame loop and hands them to the receiver.
///
/// It never blocks: a ``BufferDrain`` makes the calls into the driver and lends the newest good
/// buffer, which is copied or converted into the receiver's memory.
// @unchecked: the session makes and ends it; from `attach` to `detach` only the frame loop uses it.
final class BufferQueueReader: @unchecked Sendable {
  private let drain: BufferDrain
  private let writer: FrameWriter
  private let habits: PictureHabits
  private var search = HabitSearch()
  private var timing: FrameTiming
  private var receiver: (any FrameReceiver)?

  init(
    _ drain: BufferDrain, writer: FrameWriter, habits: PictureHabits, timing: FrameTiming
  ) {
    self.drain = drain
    self.writer = writer
    self.habits = habits
    self.timing = timing
  }

  func attach(to loop: EventLoop, receiver: any FrameReceiver) {
    self.receiver = receiver
    drain.begin(lendingTo: loop) { self.read($0) }
  }

  func detach() {
    receiver = nil
  }

  /// Reads what was taken from the driver.
  /// - Returns: Whether the stream goes on.
  private func read(_ take: BufferDrain.Take) -> Bool {
    for control in take.changedControls {
      timing.controlChanged(control)
      receiver?.controlChanged(control)
    }
    count(take.missing, .camera)
    count(take.corrupted, .corrupted)
    count(take.skipped, .skipped)
    count(take.exhausted, .poolExhausted)
    if writer.video?.needsKey == true { receiver?.needsKeyPicture() }
    if let newest = take.newest { deliver(newest) }
    if let failure = take.failure { fail(failure) }
    return receiver != nil
  }

  private func count(_ frames: Int, _ reason: FrameLoss) {
    if frames > 0 { receiver?.lost(frames, reason) }
  }

  private func fail(_ error: CaptureError) {
    let receiver = receiver
    self.receiver = nil
    receiver?.failed(error)
  }

  private func deliver(_ candidate: BufferDrain.Take.Candidate) {
    let buffer = candidate.buffer
    let time = timing.time(
      buffer.stamp, sequence: candidate.sequence, dequeued: candidate.dequeued)
    guard let receiver, receiver.wants(frameOf: time.timestamp),
      var draft = receiver.draft(byteCount: writer.byteCount(of: buffer))
    else { return }
    let isAwaited = draft.isAwaited
    let outcome = draft.withBytes { output in
      writer.write(buffer, of: drain.queue, into: &output, isAwaited: isAwaited)
    }
    let copied = MonotonicTime.now
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
    facts.deviceTime = candidate.deviceTime
    let frame = draft.seal(layout: layout, metadata: facts, byteCount: byteCount)
    guard let coded = writer.video?.coded(frame) else { return receiver.receive(frame) }
    receiver.receive(frame, coded: coded)
  }
}
