extension CaptureSession {
  /// Replaces the device, and sets the new one's format and controls.
  ///
  /// A mistake that shows when the new device is opened leaves the old one alone. If a later step
  /// fails, the old one is opened again, in its old format and with its old controls.
  /// - Throws: the error of the new device, on the field `input` unless it has a field of its own;
  ///   or `obstacle`; `conflict` if the session is suspended.
  func switchInput(
    to input: SessionInput, with change: SessionConfiguration,
    unlessMovieEnds obstacle: CaptureError?
  ) throws(CaptureError) -> [ControlState] {
    if machine.state.isHeld, let failure = machine.state.failure {
      throw CaptureError(.conflict, failure.error.message)
    }
    var new =
      inputs.state(of: input.device.identification) ?? SessionInputs.State(request: input.request)
    let device = WatchedDevice(input.device, callWatch)
    let wanted = try request(of: device, for: change, from: new.request)
    if machine.state == .running, let obstacle { throw obstacle }
    if wanted != new.request { (new.request, new.lastFormat) = (wanted, nil) }
    // Streams are the camera's and not the device's.
    new.configuration.streams = configuration.streams
    new.configuration = new.configuration.merged(with: change)
    try new.configuration.checkStreams()

    stopRamp()
    let old = (
      self.device,
      SessionInputs.State(
        request: request, lastFormat: lastFormat, ledger: ledger, configuration: configuration)
    )
    let memory = memory
    leaveDevice()
    use(device, as: new)
    let states: [ControlState]
    do throws(CaptureError) {
      states = try begin(change.settings)
    } catch {
      use(old.0, as: old.1)
      if ![.stopped, .idle].contains(machine.state) { attempt() }
      throw error
    }
    inputs.leave(old.0.identification, old.1)
    if !hasOwnDevice { beginning.chosen = memory }
    announce()
    return states
  }

  /// The format to ask the new device for, which is opened for this beside the old one.
  private func request(
    of device: any CameraDevice, for change: SessionConfiguration, from present: FormatRequest
  ) throws(CaptureError) -> FormatRequest {
    do throws(CaptureError) {
      try device.open()
    } catch {
      throw error.ofInput
    }
    defer { device.close() }
    let wanted = try change.request(from: present, running: nil) { () throws(CaptureError) in
      try device.formats()
    }
    try device.check(wanted)
    return wanted
  }

  /// Sets the new device's controls, and starts it unless the session is stopped or idle.
  private func begin(_ settings: [Setting]) throws(CaptureError) -> [ControlState] {
    let before = try snapshot(of: settings)
    let states = settings.isEmpty ? [] : try set(settings)
    guard ![.stopped, .idle].contains(machine.state) else { return states }
    do throws(FailedAttempt) {
      try open()
    } catch {
      restore(before)
      throw error.cause.ofInput
    }
    return try controls(settings.map(\.control))
  }
}

extension CaptureError {
  fileprivate var ofInput: CaptureError {
    var error = self
    error.field = field ?? "input"
    return error
  }
}
