package import EventLoop

/// One camera and the stream out of it: opens, configures, starts, watches, restarts.
///
/// It lives on a thread of its own, for a driver may take seconds to open, configure or start; neither the
/// frame loop nor anybody's requests to other cameras wait for it. It is the only one that touches the device's
/// blocking half, one call at a time.
package actor CaptureSession: LoopActor {
  package nonisolated let loop: EventLoop
  package nonisolated let pipeline: FramePipeline

  let device: any CameraDevice
  private let onEvent: @Sendable (SessionEvent) -> Void
  private var machine: SessionMachine
  private var request: FormatRequest
  private var format: StreamFormat?
  private var retryTimer: LoopTimer?
  /// Counts streams, so that a signal of one that is over is not taken for the present one's.
  private var stream = 0
  var ledger = ControlLedger()

  /// - Parameters:
  ///   - request: the format to start with; what it leaves open the device chooses.
  ///   - onEvent: called on the session's thread, in order.
  package init(
    loop: EventLoop,
    device: any CameraDevice,
    request: FormatRequest,
    pipeline: FramePipeline,
    onEvent: @escaping @Sendable (SessionEvent) -> Void
  ) {
    self.loop = loop
    self.device = device
    self.request = request
    self.pipeline = pipeline
    self.onEvent = onEvent
    machine = SessionMachine(now: .now)
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
    let old = (machine, request)
    request = wanted
    retryTimer?.cancel()
    _ = machine.start(at: .now)
    announce()
    do throws(CaptureError) {
      try open()
    } catch {
      (machine, request) = old
      if machine.state != .stopped { perform(machine.failed(error, at: .now)) }
      announce()
      throw error
    }
  }

  /// Starts the camera and, if that fails, goes on trying until it runs or is stopped.
  package func startPersistently() {
    guard machine.state == .stopped else { return }
    perform(machine.start(at: .now))
  }

  package func stop() {
    perform(machine.stop(at: .now))
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

  func announce(_ event: SessionEvent) {
    onEvent(event)
  }

  // MARK: Transitions

  private func announce() {
    onEvent(.state(status))
  }

  private func perform(_ actions: [SessionMachine.Action]) {
    announce()
    for action in actions {
      switch action {
      case .open: attempt()
      case .close: close()
      case .cancelRetry: retryTimer?.cancel()
      case .retry(let moment): retry(at: moment)
      }
    }
  }

  private func attempt() {
    do throws(CaptureError) {
      try open()
    } catch {
      perform(machine.failed(error, at: .now))
    }
  }

  private func retry(at moment: MonotonicTime) {
    retryTimer?.cancel()
    retryTimer = loop.schedule(at: moment) { [weak self] in
      self?.assumeIsolated { session in session.perform(session.machine.retry()) }
    }
  }

  private func reconfigure(_ wanted: FormatRequest) throws(CaptureError) {
    let old = request
    request = wanted
    machine.restart(at: .now)
    close()
    announce()
    do throws(CaptureError) {
      try open()
    } catch {
      request = old
      attempt()
      throw error
    }
  }

  private func open() throws(CaptureError) {
    try device.open()
    do throws(CaptureError) {
      let format = try device.configure(request)
      restoreControls()
      try device.startStreaming()
      attach(format)
    } catch {
      device.close()
      throw error
    }
    _ = machine.started(at: .now)
    announce()
  }

  private func attach(_ format: StreamFormat) {
    self.format = format
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

  private func close() {
    guard format != nil else { return }
    format = nil
    stream += 1
    let (device, pipeline) = (device, pipeline)
    let error = Self.endError(machine.state)
    pipeline.loop.performAndWait {
      device.detach()
      pipeline.end(error)
    }
    device.stopStreaming()
    device.close()
  }

  private static func endError(_ state: SessionState) -> CaptureError {
    switch state {
    case .interrupted(let interruption):
      CaptureError(
        .interrupted,
        "the camera was interrupted: \(interruption.failure.error.message)"
      )
    case .failed(let failure):
      CaptureError(.interrupted, "the camera failed: \(failure.error.message)")
    case .stopped, .starting, .running:
      CaptureError(.interrupted, "the camera's session was stopped or given another format")
    }
  }

  private func handle(_ signal: FramePipeline.Signal, of stream: Int) {
    guard stream == self.stream else { return }
    switch signal {
    case .firstFrame:
      onEvent(.firstFrame)
    case .failed(let error):
      perform(machine.failed(error, at: .now))
    case .stalled(let silence):
      let seconds = silence / 1_000_000_000
      perform(
        machine.failed(
          CaptureError(
            .deviceStalled,
            "the camera gave no frame for \(seconds) s: it is started again; check its cable"
          ),
          at: .now
        )
      )
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
