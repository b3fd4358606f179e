package import EventLoop
package import Imaging
package import OperatingSystem

/// One camera and its stream: opens, configures, starts, watches and restarts it.
///
/// It has a thread of its own, because a driver may take seconds to open, configure or start;
/// neither the frame loop nor requests to other cameras wait for that. Only the session makes the
/// device's blocking calls, one at a time.
package actor CaptureSession: LoopActor {
  package nonisolated let loop: EventLoop
  package nonisolated let pipeline: FramePipeline
  let callWatch: CallWatch
  let report: SessionReport
  let input: DeviceInput
  let access: ControlAccess
  let zoom: ZoomMover
  let stills: StillCapture
  let beginning: SessionBeginning
  private(set) var machine: SessionMachine
  private(set) var setup: SessionSetup {
    didSet {
      let new = setup.configuration
      guard new != oldValue.configuration else { return }
      let pipeline = pipeline
      pipeline.loop.performAndWait {
        pipeline.turn(new.orientations)
        pipeline.set(new.streams)
        pipeline.limitRate(new.rates?.upperBound)
      }
    }
  }
  private var retryTimer: LoopTimer?

  /// - Parameters:
  ///   - request: The format to start with; the device chooses what it leaves open.
  ///   - callLimit: How long a call into the driver may take before the camera counts as stalled.
  ///   - onEvent: Called in order, on the session's thread or, while that waits for the driver, on
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
    self.pipeline = pipeline
    let report = SessionReport(onEvent)
    self.report = report
    callWatch = CallWatch(
      loop: pipeline.loop, limit: callLimit,
      CallWatch.Handlers(
        onStall: { error in
          // No frame will come for the photos that wait for one.
          if !report.stalled(error) { pipeline.end(error) }
        }, onReturn: { report.returned() }))
    input = DeviceInput(device, pipeline: pipeline, callWatch: callWatch)
    access = ControlAccess(input, pipeline: pipeline, report: report)
    zoom = ZoomMover(access)
    stills = StillCapture(access)
    beginning = SessionBeginning(report)
    setup = SessionSetup(request: request)
    machine = SessionMachine(now: .now, backoff: backoff)
  }

  var device: WatchedDevice { input.device }
  var format: StreamFormat? { input.format }
  var configuration: ActiveConfiguration { setup.configuration }
  var ledger: ControlLedger { access.ledger }

  /// Tells the black level of the device's sensor. It holds from the next stream on, and for no
  /// other device.
  package func take(_ black: BlackLevel?) { input.take(black) }

  /// Remembers what is to be put back when a device is opened next, because a plan could not.
  /// - Parameter device: Its identity, which may not be known before it is open.
  package func owe(_ settings: [Setting], to device: String) {
    input.left.owe(settings, to: device)
  }

  package var status: SessionStatus {
    SessionStatus(
      device: device.identification,
      state: machine.state,
      since: machine.since,
      format: [.running, .idle].contains(machine.state)
        ? (format ?? setup.lastFormat)?.thinned(to: configuration.rates?.upperBound) : nil,
      configuration: configuration,
      isAwaited: input.isAwaited,
      isTakingStill: stills.isTaking,
      refusals: beginning.refusals
    )
  }

  /// Starts the camera, if it does not run. If that fails, the session stays in its state.
  /// - Throws: The device's error; `conflict` if the session is suspended; `interrupted` while the
  ///   machine is too hard pressed; `notRunning` if it has stopped for good.
  package func start() throws(CaptureError) {
    guard machine.endWords == nil else {
      throw CaptureError(.notRunning, "the camera is no more: ask for the cameras that there are")
    }
    if machine.state.isSuspended, let failure = machine.state.failure {
      throw CaptureError(.conflict, failure.error.message)
    }
    if let pressure = machine.pressure { throw pressure }
    guard machine.state != .running else { return }
    try transaction { (before) throws(CaptureError) in
      retryTimer?.cancel()
      // An input that came back while it was stopped has brought the format in which it ran.
      if machine.state == .stopped { setup.lastFormat = nil }
      _ = machine.start(at: .now)
      announce()
      try open(&before)
    }
  }

  /// Lets the camera's stream begin at a moment. One that runs ends, and begins again then. If that
  /// fails, the session stays in its state.
  /// - Throws: As ``start()``; `frameUnavailable` if the device was ready only later. Then it runs.
  package func start(at moment: MonotonicTime) throws(CaptureError) {
    input.start = moment
    defer { input.start = nil }
    if machine.state == .running {
      try transaction { (before) throws(CaptureError) in try reopen(with: setup, &before) }
    } else {
      try start()
    }
    guard let late = input.late else { return }
    throw CaptureError(
      .frameUnavailable,
      "the device was ready \(late) after the moment at which its stream was to begin: name a later one",
      part: .moment)
  }

  /// Starts the camera. If that fails, tries again until it runs or is stopped.
  package func startPersistently() {
    guard machine.state == .stopped else { return }
    perform(machine.start(at: .now))
  }

  /// Also ends a suspension.
  /// - Parameter words: What photos that wait are told if it stops for good.
  package func stop(forGood words: String? = nil) {
    perform(machine.stop(forGood: words, at: .now))
    setup.lastFormat = nil
  }

  /// Closes the camera, which nobody uses, until `wake`.
  package func idle() {
    guard machine.state == .running else { return }
    input.becomeIdle()
    perform(machine.idle(at: .now))
  }

  /// Starts an idle camera. If that fails, the session tries again.
  package func wake() {
    perform(machine.wake(at: .now))
  }

  /// Closes the camera and leaves it alone, so that somebody else may have it, until `resume` or
  /// `stop`.
  /// - Parameters:
  ///   - words: What to say to those who wait for the camera.
  ///   - keepsWords: Whether a session that is suspended already keeps what is said of it.
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

  /// - Parameter error: Why the machine is too hard pressed for the camera to run; nil when that is
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
    if !machine.state.isTrouble || machine.state.isHeld { input.stopAwaitingReturn() }
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
    retryTimer = loop.schedule(at: moment, handler { $0.perform($0.machine.retry()) })
    input.awaitReturn(
      on: loop, handler { $0.perform($0.machine.deviceChanged(at: .now)) })
  }

  /// The device streams: delivers its frames from now on.
  func started(_ format: StreamFormat, _ attempt: Attempt) {
    setup.lastFormat = format
    // The controls were read when they were put back.
    let exposure = ledger.value(of: .exposureDuration)
    input.attach(format, exposure: exposure, tries: machine.vainAttempts) {
      [weak self] signal, stream in
      self?.enter { $0.handle(signal, of: stream) }
    }
    machine.started(attempt, at: .now)
    input.stopAwaitingReturn()
    announce()
  }

  /// Ends the delivery of frames; photos that wait for one fail with the reason, or wait on if the
  /// camera is idle or takes a photo in another format.
  /// - Returns: False if the device did not stream.
  private func detach() -> Bool {
    guard format != nil || input.isAwaited else { return false }
    stopRamp()
    let goesOn = machine.state == .idle || stills.isTaking
    return input.detach(goesOn ? nil : machine.endError(isAwaited: input.isAwaited))
  }

  /// Ends the stream, which is to begin again.
  func interruptStream() {
    machine.restart(at: .now)
    if machine.state == .starting { perform([.close]) }
  }

  func closeDevice() {
    if !machine.state.isTrouble || machine.state.isHeld { putBackOwed() }
    input.close()
  }

  private func handle(_ signal: FramePipeline.Signal, of stream: Int) {
    guard stream == input.stream else { return }
    switch signal {
    case .firstFrame:
      machine.delivers(at: .now)
      report.firstFrame()
      reportCapabilities()
    case .turned(let orientation):
      input.follow(orientation)
      setup.lastFormat?.layout.orientation = orientation
      report.send(.state(status))
      reportCapabilities()
    case .failed(let error):
      perform(machine.ended(error, at: .now))
    case .stalled(let stall):
      perform(machine.ended(CaptureError(stall), silence: stall.silence, at: .now))
    case .controlChanged(let control):
      access.changed(control)
    case .zoomed(let step):
      if zoom.take(step) { zoomHasMoved() }
    case .keyPictureWanted:
      device.requestKeyPicture()
    }
  }

  // MARK: Changes

  /// Changes what needs no other stream, and reports it.
  func adopt(_ new: SessionSetup) {
    setup = new
    announce()
  }

  /// What a change puts back if it fails.
  struct Checkpoint {
    fileprivate let device: WatchedDevice
    fileprivate let state: SessionInputs.State
    fileprivate let machine: SessionMachine
    fileprivate var failed: Attempt?
    /// The controls that the change has set.
    var controls: [Setting]?
  }

  /// Makes a change of the device, its format, its controls or its start as a whole. If it fails,
  /// all is as before, and a camera that ran goes on.
  func transaction<R>(
    _ change: (inout Checkpoint) throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    var before = Checkpoint(
      device: device, state: SessionInputs.State(setup: setup, ledger: ledger), machine: machine)
    do throws(CaptureError) {
      return try change(&before)
    } catch {
      rollBack(to: before, error)
      throw error
    }
  }

  private func rollBack(to before: Checkpoint, _ error: CaptureError) {
    let isOther = device !== before.device
    if isOther {
      if machine.state == .running { interruptStream() }
      if let controls = before.controls { access.restore(controls, wanted: []) }
      use(before.device, as: before.state)
    } else {
      setup = before.state.setup
    }
    switch before.machine.state {
    case .stopped, .idle:
      machine = before.machine
      announce()
    case .starting, .running, .interrupted, .failed:
      if let attempt = before.failed, !isOther, before.machine.state.isTrouble {
        perform(machine.failed(error, attempt, at: .now))
      } else if machine.state != .running {
        attempt()
      }
    }
    if !isOther, let controls = before.controls {
      access.restore(controls, wanted: before.state.ledger.wanted)
    }
    noteZoom()
  }

  /// Opens the device as a part of a change.
  func open(_ before: inout Checkpoint) throws(CaptureError) {
    do throws(FailedAttempt) {
      try open()
    } catch {
      before.failed = error.attempt
      throw error.cause
    }
  }

  /// Ends the stream, and begins one with another setup.
  func reopen(with new: SessionSetup, _ before: inout Checkpoint) throws(CaptureError) {
    setup.ask(for: new.request)
    interruptStream()
    setup.configuration = new.configuration
    try open(&before)
  }

  /// Ends the stream of the present device, and everything that waits for it, for another one.
  func replaceDevice(by device: WatchedDevice, as state: SessionInputs.State) {
    interruptStream()
    retryTimer?.cancel()
    input.stopAwaitingReturn()
    use(device, as: state)
  }

  private func use(_ device: WatchedDevice, as state: SessionInputs.State) {
    input.use(device)
    access.use(state.ledger)
    noteZoom()
    setup = state.setup
  }
}
