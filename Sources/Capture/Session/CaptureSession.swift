package import EventLoop
package import Imaging
import OperatingSystem

/// One camera and its stream: opens, configures, starts, watches and restarts it.
///
/// It has a thread of its own, because a driver may take seconds to open, configure or start;
/// neither the frame loop nor requests to other cameras wait for that. Only the session makes the
/// device's blocking calls, one at a time.
package actor CaptureSession: LoopActor {
  package nonisolated let loop: EventLoop
  package nonisolated let pipeline: FramePipeline

  /// The input in force; `SessionInputs` remembers what the others had.
  private(set) var device: WatchedDevice {
    didSet { sharedDevice.withLock { $0 = device } }
  }
  /// The same for every thread.
  let sharedDevice: Mutex<WatchedDevice>
  let callWatch: CallWatch
  let report: SessionReport
  let onEvent: @Sendable (SessionEvent) -> Void
  var machine: SessionMachine
  var request: FormatRequest
  private(set) var configuration = ActiveConfiguration()
  /// Set while the device streams to the pipeline.
  var format: StreamFormat?
  /// The format in which the device ran last. It is set again when the device comes back.
  var lastFormat: StreamFormat?
  var ledger = ControlLedger()
  /// What the controls of the device mean that streams.
  var meanings: ControlMeanings?
  var reportedCapabilities: CameraCapabilities?
  var meter = PictureMeter()
  /// Whether the device is used for a photo in another format than the stream's.
  var isTakingStill = false
  var ramp: Ramp?
  /// Counts ramps, so that a late step of an earlier one is ignored.
  var rampCount = 0
  /// Whether the camera is idle, or starts again from there. Photos wait for its frames meanwhile.
  var isAwaited = false
  var inputs = SessionInputs()
  var beginning = SessionBeginning()
  private let ownDevice: any CameraDevice
  /// The device whose black level is known, and that level.
  private var black: (device: DeviceDescription, level: BlackLevel)?
  private var retryTimer: LoopTimer?
  private var isAwaitingReturn = false
  /// Why the session has stopped for good.
  var endWords: String?
  /// Counts streams, so that a late signal of an earlier stream is ignored.
  var stream = 0

  /// - Parameters:
  ///   - request: the format to start with; the device chooses what it leaves open.
  ///   - callLimit: how long a call into the driver may take before the camera counts as stalled.
  ///   - onEvent: called in order, on the session's thread or, while that waits for the driver, on
  ///     the frame loop.
  package init(
    loop: EventLoop,
    device: any CameraDevice,
    request: FormatRequest,
    pipeline: FramePipeline,
    backoff: Backoff = Backoff(),
    callLimit: Duration = .seconds(10),
    onEvent: @escaping @Sendable (SessionEvent) -> Void
  ) {
    self.loop = loop
    ownDevice = device
    self.request = request
    self.pipeline = pipeline
    self.onEvent = onEvent
    let report = SessionReport(onEvent)
    self.report = report
    callWatch = CallWatch(
      loop: pipeline.loop, limit: callLimit,
      CallWatch.Handlers(
        onStall: { error in
          // No frame will come for the photos that wait for one.
          if !report.stalled(error) { pipeline.end(error) }
        }, onReturn: { report.returned() }))
    self.device = WatchedDevice(device, callWatch)
    sharedDevice = Mutex(self.device)
    machine = SessionMachine(now: .now, backoff: backoff)
  }

  /// Tells the black level of the device's sensor. It holds from the next stream on, and for no
  /// other device.
  package func take(_ black: BlackLevel?) {
    self.black = black.map { (device.identification, $0) }
  }

  /// Gives the device a format.
  func setFormat(_ request: FormatRequest) throws(CaptureError) -> StreamFormat {
    var format = try device.configure(request)
    let present = device.identification
    if let black,
      black.device.identity == present.identity || black.device.isSameDevice(as: present),
      format.layout.pixelFormat.bayerPattern != nil
    {
      format.layout.black = black.level
    }
    return format
  }

  package var status: SessionStatus {
    SessionStatus(
      device: device.identification,
      state: machine.state,
      since: machine.since,
      format: [.running, .idle].contains(machine.state)
        ? (format ?? lastFormat)?.thinned(to: configuration.rates?.upperBound) : nil,
      configuration: configuration,
      isAwaited: isAwaited,
      isTakingStill: isTakingStill,
      refusals: beginning.refusals
    )
  }

  /// Whether no other input is in force.
  var hasOwnDevice: Bool { device.base === ownDevice }

  /// Starts the camera, or gives a running one another format.
  ///
  /// It is a transaction: if it fails, a running camera runs on in its old format, and any other
  /// stays in its state. A format that a running camera does not have is refused before its stream
  /// is touched.
  /// - Parameter obstacle: the error to throw if a running stream would have to end for the change.
  /// - Throws: the device's error, or `obstacle`; `conflict` if the session is suspended;
  ///   `interrupted` while the machine is too hard pressed.
  package func start(
    _ change: FormatRequest = FormatRequest(), unlessStreamEnds obstacle: CaptureError? = nil
  ) throws(CaptureError) {
    try begin(change, unlessStreamEnds: obstacle)
    if change != FormatRequest() { choseFormat() }
  }

  private func begin(
    _ change: FormatRequest, unlessStreamEnds obstacle: CaptureError?
  ) throws(CaptureError) {
    guard endWords == nil else {
      throw CaptureError(.notRunning, "the camera is no more: ask for the cameras that there are")
    }
    let wanted = request.merged(with: change)
    var asChange = SessionConfiguration()
    asChange.format = change
    let new = configuration.merged(with: asChange)
    if machine.state.isSuspended, let failure = machine.state.failure {
      throw CaptureError(.conflict, failure.error.message)
    }
    if let pressure = machine.pressure { throw pressure }
    if machine.state == .running {
      guard wanted != request, format?.satisfies(wanted) != true else {
        request = wanted
        return adopt(new)
      }
      try device.check(wanted)
      if let obstacle { throw obstacle }
      return try reconfigure(wanted, new)
    }
    let old = (machine, request, lastFormat)
    let before = configuration
    if wanted != request || machine.state == .stopped { lastFormat = nil }
    request = wanted
    retryTimer?.cancel()
    _ = machine.start(at: .now)
    apply(new)
    announce()
    do throws(FailedAttempt) {
      try open()
    } catch {
      (machine, request, lastFormat) = old
      apply(before)
      if machine.state != .stopped, machine.state != .idle {
        perform(machine.failed(error.cause, error.attempt, at: .now))
      }
      announce()
      throw error.cause
    }
  }

  /// Starts the camera. If that fails, tries again until it runs or is stopped.
  package func startPersistently() {
    guard machine.state == .stopped else { return }
    perform(machine.start(at: .now))
  }

  /// Also ends a suspension.
  /// - Parameter words: what photos that wait are told if it stops for good.
  package func stop(forGood words: String? = nil) {
    endWords = words
    perform(machine.stop(at: .now))
    lastFormat = nil
  }

  /// Closes the camera, which nobody uses, until `wake`.
  package func idle() {
    guard machine.state == .running else { return }
    isAwaited = true
    perform(machine.idle(at: .now))
  }

  /// Starts an idle camera. If that fails, the session tries again.
  package func wake() {
    perform(machine.wake(at: .now))
  }

  /// Closes the camera and leaves it alone, so that somebody else may have it, until `resume` or
  /// `stop`.
  /// - Parameters:
  ///   - words: what to say to those who wait for the camera.
  ///   - keepsWords: whether a session that is suspended already keeps what is said of it.
  package func suspend(_ words: String, keepsWords: Bool = false) throws(CaptureError) {
    try requireStarted()
    if keepsWords, machine.state.isSuspended { return }
    perform(machine.suspend(CaptureError(.interrupted, words), at: .now))
  }

  /// Starts the camera again, in the format that it had. If that fails, the session tries again.
  package func resume() throws(CaptureError) {
    try requireStarted()
    perform(machine.resume(at: .now))
  }

  /// - Parameter error: why the machine is too hard pressed for the camera to run; nil when that is
  ///   over.
  package func press(_ error: CaptureError?) {
    perform(error.map { machine.press($0, at: .now) } ?? machine.release(at: .now))
  }

  private func requireStarted() throws(CaptureError) {
    guard machine.state == .stopped else { return }
    throw CaptureError(.notRunning, "the camera's session is stopped: start it")
  }

  // MARK: Transitions

  /// Reports the status, unless it was the last one reported.
  func announce() { report.take(status) }

  func perform(_ actions: [SessionMachine.Action]) {
    // Detach before announcing the state, so that nobody who hears of an interruption gets a frame
    // from before it.
    let wasStreaming = actions.contains(.close) && detach()
    announce()
    for action in actions {
      switch action {
      case .open: attempt()
      case .close: if wasStreaming { closeDevice() }
      case .cancelRetry: retryTimer?.cancel()
      case .retry(let moment): retry(at: moment)
      }
    }
    if !machine.state.isTrouble || machine.state.isHeld { stopAwaitingReturn() }
  }

  func attempt() {
    do throws(FailedAttempt) {
      try open()
    } catch {
      perform(machine.failed(error.cause, error.attempt, at: .now))
    }
  }

  private func retry(at moment: MonotonicTime) {
    retryTimer?.cancel()
    retryTimer = loop.schedule(at: moment) { [weak self] in
      self?.assumeIsolated { session in session.perform(session.machine.retry()) }
    }
    guard !isAwaitingReturn else { return }
    isAwaitingReturn = true
    device.awaitReturn(on: loop) { [weak self] in
      self?.assumeIsolated { session in session.perform(session.machine.deviceChanged(at: .now)) }
    }
  }

  func stopAwaitingReturn() {
    guard isAwaitingReturn else { return }
    isAwaitingReturn = false
    device.stopAwaitingReturn()
  }

  /// Ends the stream, and everything that waits for the present device.
  func leaveDevice() {
    machine.restart(at: .now)
    if machine.state == .starting { perform([.close]) }
    retryTimer?.cancel()
    stopAwaitingReturn()
  }

  func use(_ device: WatchedDevice, as state: SessionInputs.State) {
    self.device = device
    (request, lastFormat, ledger) = (state.request, state.lastFormat, state.ledger)
    meanings = nil
    cropAsWanted()
    apply(state.configuration)
  }

  func reconfigure(
    _ wanted: FormatRequest, _ new: ActiveConfiguration
  ) throws(CaptureError) {
    let (old, before) = ((request, lastFormat), configuration)
    (request, lastFormat) = (wanted, nil)
    machine.restart(at: .now)
    perform([.close])
    apply(new)
    do throws(FailedAttempt) {
      try open()
    } catch {
      (request, lastFormat) = old
      apply(before)
      attempt()
      throw error.cause
    }
  }

  /// Changes what needs no other stream, and reports it.
  func adopt(_ new: ActiveConfiguration) {
    apply(new)
    announce()
  }

  private func apply(_ new: ActiveConfiguration) {
    guard new != configuration else { return }
    configuration = new
    let pipeline = pipeline
    pipeline.loop.performAndWait {
      pipeline.turn(new.orientations)
      pipeline.set(new.streams)
      pipeline.limitRate(new.rates?.upperBound)
    }
  }
}
