import Capture
import EventLoop
import OperatingSystem

/// Plays a reel on the frame loop: at every tick of its rate one picture, copied once.
// @unchecked: made on the session's thread, touched from `start` to `stop` by the frame loop alone.
final class ReelPlayer: @unchecked Sendable {
  private let reel: Reel
  private let rate: FrameRate
  private let receiver: any FrameReceiver
  private var clock: FrameClock
  private var lastNumber: UInt64 = 0
  /// Holds the player from `start` to `stop`.
  private var timer: LoopTimer?

  init(_ reel: Reel, rate: FrameRate, to receiver: any FrameReceiver) {
    self.reel = reel
    self.rate = rate
    self.receiver = receiver
    clock = FrameClock(Metronome(rate: rate, phase: 0), start: .now)
  }

  func start(on loop: EventLoop) {
    timer = loop.schedule(at: clock.deadline) { [self] in tick() }
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }

  private func tick() {
    defer { timer?.again(at: clock.deadline) }
    let dequeued = MonotonicTime.now
    let (number, time) = clock.takeFrame(at: dequeued)
    // The loop came late: as from a driver's queue, the newest is taken and the rest are counted.
    let overtaken = Int(number - lastNumber) - 1
    if overtaken > 0 { receiver.lost(overtaken, .skipped) }
    lastNumber = number
    guard receiver.wants(frameOf: time) else { return }
    let picture = Int((number - 1) % UInt64(reel.count))
    let byteCount = reel.byteCount(of: picture)
    guard var draft = receiver.draft(byteCount: byteCount) else { return }
    reel.copy(picture, into: &draft)
    let metadata = FrameMetadata(
      sequence: number,
      timestamp: time,
      marks: .exposureStart,
      exposure: ExposureBounds(earliestStart: time, latestEnd: dequeued),
      dequeued: dequeued,
      copied: .now,
      wallClock: .now()
    )
    receiver.receive(
      draft.seal(layout: reel.layout(of: picture), metadata: metadata, byteCount: byteCount))
  }
}
