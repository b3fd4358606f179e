import Capture
import EventLoop
import Imaging
package import OperatingSystem

/// The simulated sensor. On a thread of its own, it exposes a frame at every tick into a driver's
/// ring of buffers.
///
/// A frame without a free buffer and a missed tick count as lost by the camera: they leave a gap in
/// the numbering.
// @unchecked: after `begin` only its own loop touches it.
final class SyntheticSensor: @unchecked Sendable {
  private static let buffers = 4
  /// By how much the flash makes the scene lighter: two stops.
  private static let flashLight = 4.0

  private let loop: EventLoop
  private let panel: ControlPanel
  private let mailbox: DriverMailbox
  private let layout: ImageLayout
  private let pool: FramePool
  private let specification: SyntheticSpecification
  /// How many frames it has exposed since the start.
  private var exposed = 0
  private let start: MonotonicTime
  private let cameraClock: CameraClock
  private var clock: FrameClock
  private var painter: FramePainter
  /// Keeps the sensor alive from `begin` to `end`.
  private var timer: LoopTimer?

  init(
    _ specification: SyntheticSpecification,
    format: StreamFormat,
    rate: FrameRate,
    panel: ControlPanel,
    mailbox: DriverMailbox
  ) throws(CaptureError) {
    painter = try FramePainter(
      format,
      quality: specification.quality,
      showsCaption: specification.showsCaption
    )
    start = .now
    let phase = specification.phase + (specification.isFree ? start.nanoseconds : 0)
    clock = FrameClock(Metronome(rate: rate, phase: phase), start: start)
    cameraClock = specification.clock
    layout = format.layout
    self.specification = specification
    pool = FramePool(
      limit: Self.buffers,
      byteCount: FramePainter.byteCount(of: layout),
      layout: layout
    )
    self.panel = panel
    self.mailbox = mailbox
    do throws(LoopShortage) {
      loop = try .starting(name: "synthetic")
    } catch {
      throw CaptureError(error)
    }
  }

  /// Starts exposing at the next tick.
  func begin() {
    loop.perform { [self] in
      timer = loop.schedule(at: clock.deadline) { [self] in tick() }
    }
  }

  /// Ends the thread. No frame is exposed after that.
  func end() {
    loop.perform { [self] in
      timer?.cancel()
      timer = nil
    }
    loop.stop()
  }

  private func tick() {
    guard !mailbox.isOver else { return }
    defer { timer?.again(at: clock.deadline) }
    let now = MonotonicTime.now
    let exposure = panel.expose(at: now)
    if let changed = exposure.changed { mailbox.post([changed]) }
    let fate = exposure.fate
    guard fate != .stalled else { return clock.pause(until: now) }
    let (number, time) = clock.takeFrame(at: now)
    var (picture, facts) = (exposure.picture, exposure.facts)
    facts.flash = false
    if let start = exposure.litSince {
      picture.light *= Self.flashLight
      // It may have been fired while the frame was exposed.
      facts.flash = start <= time ? true : nil
    }
    exposed += 1
    picture.light *= specification.light(ofFrame: exposed)
    guard fate != .lost, var draft = pool.take() else { return }
    let timestamp = cameraClock.reading(at: time, since: start)
    do {
      let strip = FrameStrip(number: number, timestamp: timestamp)
      let byteCount = try painter.paint(strip, picture, into: &draft)
      let frame = draft.seal(
        layout: layout,
        metadata: .exposed(
          number, at: timestamp, start: time, duration: facts.exposure ?? 0,
          facts: specification.saysFacts ? facts : FrameFacts()),
        byteCount: fate == .truncated ? byteCount / 2 : byteCount
      )
      mailbox.post(DriverBuffer(frame: frame, isCorrupted: fate == .corrupted))
    } catch {
      mailbox.post(error)
    }
  }
}

extension FrameMetadata {
  /// The metadata that a driver knows. The frame loop adds the rest.
  ///
  /// - Parameters:
  ///   - timestamp: The camera's own reading of `start`, which is wrong if its clock is.
  ///   - start: When the exposure began.
  ///   - duration: How long it lasts, nanoseconds; 0 if the automatic decides. The picture is
  ///     painted at once, so it may end after the picture was delivered.
  fileprivate static func exposed(
    _ number: UInt64, at timestamp: MonotonicTime, start: MonotonicTime, duration: Int64,
    facts: FrameFacts
  ) -> FrameMetadata {
    let now = MonotonicTime.now
    return FrameMetadata(
      sequence: number,
      timestamp: timestamp,
      marks: .exposureStart,
      exposure: ExposureBounds(
        earliestStart: start, latestEnd: max(now, start + .nanoseconds(duration))),
      facts: facts,
      dequeued: now,
      copied: now,
      wallClock: .now()
    )
  }
}

/// The clock with which the camera stamps its frames, and its error.
package struct CameraClock: Hashable, Sendable {
  /// Nanoseconds by which it is ahead of the monotonic clock when streaming starts.
  package var offset: Int64
  /// How much too fast it runs, in millionths.
  package var drift: Double

  package init(offset: Int64 = 0, drift: Double = 0) {
    self.offset = offset
    self.drift = drift
  }

  /// The clock's reading at `time` in a stream that began at `start`.
  package func reading(at time: MonotonicTime, since start: MonotonicTime) -> MonotonicTime {
    let gained = Double((time - start).wholeNanoseconds) * drift / 1_000_000
    return MonotonicTime(nanoseconds: time.nanoseconds + offset + Int64(gained.rounded()))
  }
}
