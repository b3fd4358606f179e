package import EventLoop
import OperatingSystem

/// One camera and the stream out of it: opens, configures, starts, watches, restarts.
///
/// It lives on a thread of its own, for a driver may take seconds to open, configure or start; neither the
/// frame loop nor anybody's requests to other cameras wait for it. It is the only one that touches the device's
/// blocking half, one call at a time.
package actor CaptureSession: LoopActor {
  package nonisolated let loop: EventLoop
  package nonisolated let pipeline: FramePipeline

  let device: any CameraDevice
  let callWatch: CallWatch
  let onEvent: @Sendable (SessionEvent) -> Void
  var machine: SessionMachine
  var request: FormatRequest
  /// Set while the device streams.
  var format: StreamFormat?
  /// What the device made of the request when it last ran: to be had again when it comes back.
  var lastFormat: StreamFormat?
  var ledger = ControlLedger()
  private var announced: SessionStatus?
  private var retryTimer: LoopTimer?
  private var isAwaitingReturn = false
  /// Counts streams, so that a signal of one that is over is not taken for the present one's.
  private var stream = 0

  /// - Parameters:
  ///   - request: the format to start with; what it leaves open the device chooses.
  ///   - callLimit: how long a call into the driver may take before the camera counts as stalled.
  ///   - onEvent: called on the session's thread, in order; while that waits for the driver, on the frame loop.
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
    self.device = device
    self.request = request
    self.pipeline = pipeline
    self.onEvent = onEvent
    callWatch = CallWatch(loop: pipeline.loop, limit: callLimit)
    machine = SessionMachine(now: .now, backoff: backoff)
  }

  package var status: SessionStatus {
    SessionStatus(
      device: device.identification,
      state: machine.state,
      since: machine.since,
      format: machine.state == .running ? format : nil
    )
  }

  /// Starts the camera, or gives a running one another format.
  ///
  /// It is a transaction: on failure the camera runs as it did before, or is as it was.
  /// - Throws: what the device says, with the remedy.
  package func start(_ change: FormatRequest = FormatRequest()) throws(CaptureError) {
    let wanted = request.merged(with: change)
    if machine.state == .running {
      guard wanted != request else { return }
      return try reconfigure(wanted)
    }
    let old = (machine, request, lastFormat)
    if wanted != request || machine.state == .stopped { lastFormat = nil }
    request = wanted
    retryTimer?.cancel()
    _ = machine.start(at: .now)
    announce()
    do throws(FailedAttempt) {
      try open()
    } catch {
      (machine, request, lastFormat) = old
      if machine.state != .stopped {
        perform(machine.failed(error.cause, error.attempt, at: .now))
      }
      announce()
      throw error.cause
    }
  }

  /// Starts the camera and, if that fails, goes on trying until it runs or is stopped.
  package func startPersistently() {
    guard machine.state == .stopped else { return }
    perform(machine.start(at: .now))
  }

  package func stop() {
    perform(machine.stop(at: .now))
    lastFormat = nil
  }

  /// All that the device can deliver.
  package func formats() throws(CaptureError) -> [CameraFormat] {
    try withOpenDevice { (device) throws(CaptureError) in try device.formats() }
  }

  /// Makes a call to the device; one that is not streaming is opened for the length of the call.
  func withOpenDevice<R>(
    _ body: (any CameraDevice) throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    if format != nil { return try body(device) }
    do throws(CaptureError) {
      try device.open()
    } catch {
      // A simulated camera has its controls also while it is unplugged: they are how it is plugged in again.
      guard let result = try? body(device) else { throw error }
      return result
    }
    defer { device.close() }
    return try body(device)
  }

  // MARK: Transitions

  /// Tells how the session is, unless that was told.
  func announce() {
    let status = status
    guard status != announced else { return }
    announced = status
    onEvent(.state(status))
  }

  /// Something else was told of the session than what it is.
  func announceAgain() {
    announced = nil
    announce()
  }

  func perform(_ actions: [SessionMachine.Action]) {
    // Detach before the state is announced: nobody who hears of an interruption gets a frame from before it.
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
    if !machine.state.isTrouble { stopAwaitingReturn() }
  }

  private func attempt() {
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

  private func reconfigure(_ wanted: FormatRequest) throws(CaptureError) {
    let old = (request, lastFormat)
    (request, lastFormat) = (wanted, nil)
    machine.restart(at: .now)
    perform([.close])
    do throws(FailedAttempt) {
      try open()
    } catch {
      (request, lastFormat) = old
      attempt()
      throw error.cause
    }
  }

  // MARK: The stream

  /// Has the frame loop take the frames of a device that streams.
  func attach(_ format: StreamFormat) {
    self.format = format
    lastFormat = format
    stream += 1
    let stream = stream
    let signal: @Sendable (FramePipeline.Signal) -> Void = { [weak self] signal in
      guard let self else { return }
      loop.perform { self.assumeIsolated { $0.handle(signal, of: stream) } }
    }
    let (device, pipeline) = (device, pipeline)
    pipeline.loop.performAndWait {
      pipeline.begin(format, signal: signal)
      device.attach(to: pipeline.loop, receiver: pipeline)
    }
  }

  /// Ends the delivery of frames; photos that wait for one fail with the reason. The device streams on until
  /// `closeDevice`, because stopping it may take long.
  /// - Returns: false if it did not stream.
  private func detach() -> Bool {
    guard format != nil else { return false }
    format = nil
    stream += 1
    let (device, pipeline) = (device, pipeline)
    let error = Self.endError(machine.state)
    pipeline.loop.performAndWait {
      device.detach()
      pipeline.end(error)
    }
    return true
  }

  private func closeDevice() {
    watchingCall("stop the stream") {
      device.stopStreaming()
      device.close()
    }
  }

  private static func endError(_ state: SessionState) -> CaptureError {
    let cause =
      switch state {
      case .interrupted(let interruption):
        "the camera was interrupted: \(interruption.failure.error.message)"
      case .failed(let failure): "the camera failed: \(failure.error.message)"
      case .stopped, .starting, .running:
        "the camera's session was stopped or given another format"
      }
    return CaptureError(.interrupted, cause)
  }

  private func handle(_ signal: FramePipeline.Signal, of stream: Int) {
    guard stream == self.stream else { return }
    switch signal {
    case .firstFrame:
      machine.delivers(at: .now)
      onEvent(.firstFrame)
    case .failed(let error):
      perform(machine.ended(error, at: .now))
    case .stalled(let stall):
      perform(machine.ended(CaptureError(stall), silence: stall.silence, at: .now))
    case .controlChanged(let control):
      controlChanged(control)
    }
  }
}

extension FormatRequest {
  /// This request with what another one names put in its place.
  fileprivate func merged(with change: FormatRequest) -> FormatRequest {
    FormatRequest(
      pixelFormat: change.pixelFormat ?? pixelFormat,
      size: change.size ?? size,
      framesPerSecond: change.framesPerSecond ?? framesPerSecond
    )
  }
}
