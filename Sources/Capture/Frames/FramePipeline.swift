package import EventLoop
import OperatingSystem

/// The way of a camera's frames inside the node: pool, ring, then everybody who wants them.
///
/// All of it happens on the frame loop, in the call that delivers the frame: no queue and no hop lies between
/// the driver's buffer and a consumer.
// @unchecked: every member is touched on the frame loop only, which the entry points check, but for what `told` has.
package final class FramePipeline: FrameReceiver, @unchecked Sendable {
  /// What the session must hear of.
  package enum Signal: Sendable {
    case firstFrame
    case failed(CaptureError)
    case stalled(Stall)
    case controlChanged(ControlID)
  }

  package let loop: EventLoop
  package private(set) var format: StreamFormat?
  package private(set) var ring = FrameRing(capacity: 2)
  package let photos: PhotoOutput

  /// What any thread may ask, without a hop to the frame loop.
  private struct Told {
    var counters = FrameCounters()
    var ringReach: Int64 = 0
  }

  private let told = Mutex(Told())
  private let limits: PipelineLimits
  private var pool: FramePool?
  private var consumers: [any FrameConsumer] = []
  private var signal: (@Sendable (Signal) -> Void)?
  private var watchdog: Watchdog?
  private var pacer: ChangePacer?
  /// Bad frames since the last good one.
  private var flawed = 0

  package init(loop: EventLoop, encoders: EncoderPool, limits: PipelineLimits = PipelineLimits()) {
    self.loop = loop
    self.limits = limits
    photos = PhotoOutput(loop: loop, encoders: encoders)
  }

  /// What became of the camera's frames; on any thread.
  package var counters: FrameCounters { told.withLock { $0.counters } }
  /// How far back the ring reaches, in nanoseconds; on any thread.
  package var ringReach: Int64 { told.withLock { $0.ringReach } }

  /// Makes ready for a stream of this format.
  func begin(_ format: StreamFormat, signal: @escaping @Sendable (Signal) -> Void) {
    precondition(loop.isCurrent)
    let interval = format.frameRate?.interval ?? PipelineLimits.assumedInterval
    ring = FrameRing(
      capacity: limits.ringCapacity(interval: interval, byteCount: format.maximumByteCount)
    )
    pool = FramePool(
      limit: ring.capacity + limits.framesInUse,
      byteCount: format.maximumByteCount,
      layout: format.layout
    )
    self.format = format
    self.signal = signal
    photos.begin(format)
    flawed = 0
    watchdog = Watchdog(loop: loop, limit: limits.stallLimit(interval: interval)) {
      [weak self] silence in
      guard let self else { return }
      signal(.stalled(Stall(silence: silence, flawed: flawed)))
    }
    pacer = ChangePacer(loop: loop) { signal(.controlChanged($0)) }
  }

  /// Lets go of the stream; photos that still wait for a frame fail with `error`.
  func end(_ error: CaptureError) {
    precondition(loop.isCurrent)
    watchdog?.cancel()
    watchdog = nil
    pacer?.cancel()
    pacer = nil
    signal = nil
    ring.removeAll()
    told.withLock { $0.ringReach = 0 }
    pool = nil
    format = nil
    photos.end(error)
  }

  package func add(_ consumer: any FrameConsumer) {
    precondition(loop.isCurrent)
    consumers.append(consumer)
  }

  package func remove(_ consumer: any FrameConsumer) {
    precondition(loop.isCurrent)
    consumers.removeAll { $0 === consumer }
  }

  /// Asks for a photo; the steps are told on the frame loop or an encoder's thread.
  package func capture(_ request: PhotoRequest) {
    precondition(loop.isCurrent)
    photos.request(request, ring: ring)
  }

  // MARK: FrameReceiver

  package func draft(byteCount: Int) -> FrameDraft? {
    repeat {
      if let draft = pool?.take(isAwaited: !consumers.isEmpty) { return draft }
      // A long memory of the past is worth less than the present.
    } while ring.removeOldest()
    told.withLock { told in
      told.ringReach = 0
      told.counters.count(1, .poolExhausted)
    }
    return nil
  }

  package func receive(_ frame: Frame) {
    precondition(loop.isCurrent)
    flawed = 0
    ring.append(frame)
    let reach = ring.reach
    told.withLock { told in
      told.ringReach = reach
      told.counters.delivered += 1
    }
    // Only now: who hears of it finds the frame.
    if watchdog?.feed(frame.metadata.dequeued) == .first { signal?(.firstFrame) }
    for consumer in consumers { consumer.receive(frame) }
    photos.receive(ring: ring)
  }

  package func lost(_ count: Int, _ reason: FrameLoss) {
    told.withLock { $0.counters.count(count, reason) }
    if reason == .corrupted || reason == .truncated { flawed += count }
  }

  package func controlChanged(_ control: ControlID) {
    pacer?.changed(control)
  }

  package func failed(_ error: CaptureError) {
    signal?(.failed(error))
  }
}
