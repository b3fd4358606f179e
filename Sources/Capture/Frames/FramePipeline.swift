package import EventLoop
package import Imaging
package import OperatingSystem

/// The path of a camera's frames inside the node: from the pool into the ring and to all consumers.
///
/// All of it happens on the frame loop, in the call that delivers the frame. No queue and no hop
/// between threads lies between the driver's buffer and a consumer.
// @unchecked: confined to the frame loop, which the entry points check, except `shared`, which has
// a lock.
package final class FramePipeline: FrameReceiver, @unchecked Sendable {
  /// An event that the session has to handle.
  package enum Signal: Sendable {
    case firstFrame
    /// The camera's frames are to be turned in another way than before, so that they are upright.
    case turned(Orientation)
    case failed(CaptureError)
    case stalled(Stall)
    case controlChanged(ControlID)
    case zoomed(ZoomStep)
    /// The camera's video shall have a picture that needs no other.
    case keyPictureWanted
  }

  package let loop: EventLoop
  package private(set) var format: StreamFormat?
  package private(set) var ring = FrameRing(capacity: 2)
  /// Nanoseconds from one frame that is kept to the next.
  package private(set) var interval = PipelineLimits.assumedInterval
  package let photos: PhotoOutput
  let effects: EffectWatch
  package let encoders: EncoderPool
  /// Called when `orientations`, `streams` or the format have changed.
  package var onPictures: (() -> Void)?
  package private(set) var orientations = Orientations()
  /// The settings of streams, by their names.
  package private(set) var streams: [String: StreamSettings] = [:]

  /// What any thread may read without a hop to the frame loop.
  private struct SharedStatus {
    var counters = FrameCounters()
    var ringReach: Int64 = 0
    var crop: Double?
    var pace = PaceMeter()
  }

  private let shared = Mutex(SharedStatus())
  private let limits: PipelineLimits
  private var pool: FramePool?
  private var consumers: [any FrameConsumer] = []
  private var signal: (@Sendable (Signal) -> Void)?
  private var watchdog: Watchdog?
  private var pacer: ChangePacer?
  /// Frames a second; nil for all frames.
  private var rateLimit: Double?
  private var thinner: FrameThinner?
  private var motion: ZoomMotion?
  /// The plan that takes its frames from the stream.
  var shots: ShotWatch?
  /// Bad frames since the last good one.
  private var flawed = 0
  /// How long the camera has to answer with a key picture before it is asked again.
  private static let keyPause = Duration.milliseconds(250)
  /// When the camera was asked for a key picture that has not come; nil if none is awaited.
  private var keyAsked: MonotonicTime?

  package init(loop: EventLoop, encoders: EncoderPool, limits: PipelineLimits = PipelineLimits()) {
    self.loop = loop
    self.limits = limits
    self.encoders = encoders
    effects = EffectWatch(loop: loop, encoders: encoders)
    photos = PhotoOutput(loop: loop, encoders: encoders, effects: effects)
    let serve: () -> Void = { [weak self] in
      guard let self else { return }
      photos.receive(ring: ring)
    }
    photos.onTurn = serve
    effects.onEnd = serve
  }

  /// Can be read on any thread.
  package var counters: FrameCounters { shared.withLock { $0.counters } }
  /// How far back the ring reaches, in nanoseconds. Can be read on any thread.
  package var ringReach: Int64 { shared.withLock { $0.ringReach } }

  /// How the running stream's frames follow each other; nil before enough of them have come. Can be
  /// read on any thread.
  package var pace: FramePace? { shared.withLock { $0.pace.pace } }

  /// The zoom by cropping; nil if the camera has a zoom of its own. Can be read on any thread.
  package var crop: Double? { shared.withLock { $0.crop } }
  /// Whether frames show less than the camera's pictures.
  var isCropping: Bool { crop ?? 1 > 1 }

  /// Prepares for a stream of this format.
  /// - Parameters:
  ///   - exposure: The exposure time that the camera has; nil if it is not known.
  ///   - tries: How often the camera was started in vain before.
  func begin(
    _ format: StreamFormat, exposure: Duration? = nil, tries: Int = 0,
    signal: @escaping @Sendable (Signal) -> Void
  ) {
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
    thin()
    (flawed, keyAsked) = (0, nil)
    let patience = StallPatience(
      interval: .nanoseconds(interval), exposure: exposure, tries: tries)
    watchdog = Watchdog(loop: loop, patience: patience) { [weak self] silence in
      guard let self else { return }
      signal(.stalled(Stall(silence: silence, flawed: flawed)))
    }
    pacer = ChangePacer(loop: loop) { signal(.controlChanged($0)) }
    onPictures?()
  }

  /// The camera exposes so long from now on; nil if that is not known.
  func expect(exposure: Duration?) {
    precondition(loop.isCurrent)
    watchdog?.expect(exposure: exposure)
  }

  /// Ends the stream, if there is one, and frees its frames; photos that still wait for a frame
  /// fail with `error`.
  /// - Parameter error: Nil if the camera is idle: photos wait for its next stream.
  func end(_ error: CaptureError?) {
    precondition(loop.isCurrent)
    watchdog?.cancel()
    watchdog = nil
    pacer?.cancel()
    pacer = nil
    motion = nil
    signal = nil
    ring.removeAll()
    shared.withLock { ($0.ringReach, $0.pace) = (0, PaceMeter()) }
    pool = nil
    format = nil
    effects.endAll()
    photos.end(error)
    shots?.fail(error ?? .shotsEnded)
  }

  package func add(_ consumer: any FrameConsumer) {
    precondition(loop.isCurrent)
    consumers.append(consumer)
  }

  package func remove(_ consumer: any FrameConsumer) {
    precondition(loop.isCurrent)
    consumers.removeAll { $0 === consumer }
  }

  /// Turns pictures in another way from the next frame on.
  func turn(_ orientations: Orientations) {
    precondition(loop.isCurrent)
    guard orientations != self.orientations else { return }
    self.orientations = orientations
    photos.orientation = orientations.capture
    onPictures?()
  }

  /// Sends streams in another way from the next frame on.
  func set(_ streams: [String: StreamSettings]) {
    precondition(loop.isCurrent)
    guard streams != self.streams else { return }
    self.streams = streams
    onPictures?()
  }

  /// Keeps at most so many frames a second from now on, evenly spaced. The camera's stream goes on
  /// as it is, and the others are neither copied nor encoded.
  /// - Parameter framesPerSecond: Nil for all frames.
  package func limitRate(_ framesPerSecond: Double?) {
    precondition(loop.isCurrent)
    guard framesPerSecond != rateLimit else { return }
    rateLimit = framesPerSecond
    thin()
  }

  private func thin() {
    guard let format else { return }
    thinner = rateLimit.flatMap { FrameThinner(limit: $0, of: format.frameRate) }
    interval = thinner?.interval ?? format.frameRate?.interval ?? PipelineLimits.assumedInterval
    photos.interval = interval
  }

  /// Whether consumers get the camera's own pictures of a video with its frames. Of some of them
  /// alone, as a lower rate would leave them, nothing can be decoded.
  package var passesVideo: Bool {
    format?.devicePixelFormat.isVideo == true && thinner == nil
  }

  /// Asks the camera for a picture of its video that needs no other. A camera that cannot be asked
  /// sends one now and then.
  package func askForKeyPicture() {
    precondition(loop.isCurrent)
    let now = MonotonicTime.now
    guard keyAsked.map({ now - $0 >= Self.keyPause }) ?? true else { return }
    keyAsked = now
    signal?(.keyPictureWanted)
  }

  /// Takes a photo, and reports its steps on the frame loop.
  package func capture(_ request: PhotoRequest) {
    precondition(loop.isCurrent)
    photos.request(request, ring: ring)
  }

  /// Makes the photo of a frame that was taken in another format.
  package func develop(_ still: StillFrame, for request: PhotoRequest) {
    precondition(loop.isCurrent)
    photos.develop(still, for: request)
  }

  // MARK: FrameReceiver

  package func wants(frameOf time: MonotonicTime) -> Bool {
    guard thinner?.keeps(time) == false else {
      moveZoom(at: time)
      return true
    }
    // The camera delivers, although this frame is not kept.
    _ = watchdog?.feed(.now)
    lost(1, .thinned)
    return false
  }

  package func draft(byteCount: Int) -> FrameDraft? {
    repeat {
      if var draft = pool?.take(isAwaited: !consumers.isEmpty) {
        (draft.crop, draft.ordinal) = shared.withLock { ($0.crop, $0.counters.wanted + 1) }
        draft.black = format?.layout.black
        return draft
      }
      // The newest frame is worth more than a long past.
    } while ring.removeOldest()
    // The camera delivers, although there is no memory for it.
    _ = watchdog?.feed(.now)
    shared.withLock { shared in
      shared.ringReach = 0
      shared.counters.count(1, .poolExhausted)
    }
    return nil
  }

  package func receive(_ frame: Frame) { take(frame, nil) }

  package func receive(_ frame: Frame, coded: Frame) {
    if coded.metadata.dependence == .key { keyAsked = nil }
    take(frame, passesVideo ? coded : nil)
  }

  package func needsKeyPicture() {
    askForKeyPicture()
    watchdog?.expect(keyPicture: true)
  }

  private func take(_ frame: Frame, _ coded: Frame?) {
    precondition(loop.isCurrent)
    flawed = 0
    follow(frame.layout.orientation)
    ring.append(frame)
    let reach = ring.reach
    shared.withLock { shared in
      shared.ringReach = reach
      shared.pace.take(frame.metadata)
      shared.counters.delivered += 1
    }
    encoders.lateness.took(1)
    // Signal after the frame is in the ring, so that a photo taken upon the signal finds it.
    if watchdog?.feed(frame.metadata.dequeued) == .first { signal?(.firstFrame) }
    watchdog?.expect(keyPicture: false)
    for consumer in consumers {
      if let coded { consumer.receive(frame, coded: coded) } else { consumer.receive(frame) }
    }
    effects.receive(frame)
    photos.receive(ring: ring)
  }

  private func follow(_ orientation: Orientation) {
    photos.follow(orientation)
    guard let format, format.layout.orientation != orientation else { return }
    self.format?.layout.orientation = orientation
    signal?(.turned(orientation))
  }

  package func lost(_ count: Int, _ reason: FrameLoss) {
    shared.withLock { $0.counters.count(count, reason) }
    if reason == .corrupted || reason == .truncated { flawed += count }
    if reason == .skipped { encoders.lateness.skipped(count) }
  }

  package func controlChanged(_ control: ControlID) {
    pacer?.changed(control)
  }

  package func failed(_ error: CaptureError) {
    signal?(.failed(error))
  }
}

// MARK: Zoom

extension FramePipeline {
  /// Zooms pictures from the next frame on.
  /// - Parameter factor: Nil if the camera has a zoom of its own.
  func crop(by factor: Double?) {
    precondition(loop.isCurrent)
    guard factor != crop else { return }
    setCrop(factor)
    effects.changedByNode()
  }

  private func setCrop(_ factor: Double?) {
    shared.withLock { $0.crop = factor }
    photos.isWhole = !isCropping
  }

  /// Moves the zoom with each frame from now on, that of the device by signals.
  func begin(_ ramp: ZoomRamp, number: Int, of control: ControlID) {
    precondition(loop.isCurrent)
    motion = ZoomMotion(ramp: ramp, number: number, control: control)
  }

  func endRamp() {
    precondition(loop.isCurrent)
    motion = nil
  }

  /// The device has made a step.
  func stepIsMade(_ step: ZoomStep) {
    precondition(loop.isCurrent)
    if motion?.number == step.ramp { motion?.isStepping = false }
  }

  private func moveZoom(at time: MonotonicTime) {
    guard var motion, !motion.isStepping else { return }
    let step = motion.step(at: time)
    let isCrop = crop != nil
    if isCrop { setCrop(step.zoom) }
    motion.isStepping = !isCrop
    self.motion = step.isLast ? nil : motion
    pacer?.changed(motion.control)
    if !isCrop || step.isLast { signal?(.zoomed(step)) }
  }
}
