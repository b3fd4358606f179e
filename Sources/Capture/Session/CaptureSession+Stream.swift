import EventLoop
import Imaging
import OperatingSystem

extension CaptureSession {
  /// Starts the delivery of frames from a device that streams.
  func attach(_ format: StreamFormat) {
    self.format = format
    lastFormat = format
    isAwaited = false
    stream += 1
    let stream = stream
    let signal: @Sendable (FramePipeline.Signal) -> Void = { [weak self] signal in
      guard let self else { return }
      loop.perform { self.assumeIsolated { $0.handle(signal, of: stream) } }
    }
    let (device, pipeline) = (device, pipeline)
    // The controls were read when they were put back.
    let exposure = ledger.value(of: .exposureDuration).flatMap(Self.exposure)
    let tries = machine.vainAttempts
    pipeline.loop.performAndWait {
      pipeline.begin(format, exposure: exposure, tries: tries, signal: signal)
      device.attach(to: pipeline.loop, receiver: pipeline)
    }
  }

  /// An exposure time in nanoseconds.
  private static func exposure(_ value: ControlValue) -> Int64? {
    guard case .number(let seconds) = value, seconds.isFinite else { return nil }
    return Int64(exactly: (min(max(0, seconds), 3600) * 1e9).rounded())
  }

  /// Has the camera's silence judged by its new exposure time.
  func expectExposure(_ state: ControlState) {
    guard state.control.id == .exposureDuration, format != nil else { return }
    let (pipeline, exposure) = (pipeline, state.value.flatMap(Self.exposure))
    pipeline.loop.perform { pipeline.expect(exposure: exposure) }
  }

  /// Ends the delivery of frames; photos that wait for one fail with the reason, or wait on if the
  /// camera is idle or takes a photo in another format. The device streams on until `closeDevice`,
  /// because stopping it may take long.
  /// - Returns: false if it did not stream.
  func detach() -> Bool {
    guard format != nil || isAwaited else { return false }
    let wasStreaming = format != nil
    stopRamp()
    let goesOn = machine.state == .idle || isTakingStill
    let error = goesOn ? nil : endError
    isAwaited = goesOn
    format = nil
    stream += 1
    let (device, pipeline) = (device, pipeline)
    pipeline.loop.performAndWait {
      if wasStreaming { device.detach() }
      pipeline.end(error)
    }
    return wasStreaming
  }

  func closeDevice() {
    if !machine.state.isTrouble || machine.state.isHeld { putBackOwed() }
    device.stopStreaming()
    device.close()
  }

  private var endError: CaptureError {
    // The camera could not be started for the photos that wait.
    if isAwaited, let failure = machine.state.failure { return failure.error }
    let cause =
      switch machine.state {
      case .interrupted(let interruption):
        "the camera was interrupted: \(interruption.failure.error.message)"
      case .failed(let failure): "the camera failed: \(failure.error.message)"
      case .stopped: endWords ?? "the camera's session was stopped: start it, and ask again"
      case .starting, .running, .idle: "the camera was given another format or input: ask again"
      }
    return CaptureError(.interrupted, cause)
  }

  private func handle(_ signal: FramePipeline.Signal, of stream: Int) {
    guard stream == self.stream else { return }
    switch signal {
    case .firstFrame:
      machine.delivers(at: .now)
      report.firstFrame()
      reportCapabilities()
    case .turned(let orientation):
      format?.layout.orientation = orientation
      lastFormat?.layout.orientation = orientation
      onEvent(.state(status))
      reportCapabilities()
    case .failed(let error):
      perform(machine.ended(error, at: .now))
    case .stalled(let stall):
      perform(machine.ended(CaptureError(stall), silence: stall.silence, at: .now))
    case .controlChanged(let control):
      controlChanged(control)
    case .zoomed(let step):
      handle(step)
    }
  }
}
