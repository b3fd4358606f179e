extension CaptureSession {
  /// Changes the input, the format, the controls and the rest of the configuration together: all of
  /// it holds then, or nothing of it.
  ///
  /// A camera that runs goes on in its old format, with its old controls, if anything fails. A
  /// stopped one takes the change for its next start. Orientations, and rates that the running
  /// stream can be thinned to, change without another start. A ramp of the zoom ends where it
  /// stands.
  /// - Parameter obstacle: The error to throw if a movie of the running stream would have to end
  ///   for the change.
  /// - Parameter effect: What to find out about the effect on the frames, if the stream goes on.
  /// - Returns: The controls that were set, with the values that took effect.
  /// - Throws: The device's error, or `obstacle`; `interrupted` while the camera cannot be asked.
  package func configure(
    _ change: SessionConfiguration, unlessMovieEnds obstacle: CaptureError? = nil,
    effect: EffectRequest? = nil
  ) throws(CaptureError) -> [ControlState] {
    let states = try make(change, unlessMovieEnds: obstacle, effect: effect)
    chose(change)
    return states
  }

  func make(
    _ change: SessionConfiguration, unlessMovieEnds obstacle: CaptureError?, effect: EffectRequest?
  ) throws(CaptureError) -> [ControlState] {
    if let input = change.input, input.device !== device.base {
      effect?.onEnd(nil)
      return try switchInput(to: input, with: change, unlessMovieEnds: obstacle)
    }
    if change.needsDevice, let error = machine.state.failure?.error {
      let remedy =
        error.mayComeFromFormat || error.code == .deviceStalled
        ? "; if its format is the cause, stop the session, change the format and start it" : ""
      throw CaptureError(.interrupted, "\(error.message): ask again when the camera runs\(remedy)")
    }
    var new = setup
    new.configuration = configuration.merged(with: change)
    try new.configuration.checkStreams()
    guard change.needsDevice || machine.state == .running else {
      adopt(new)
      effect?.onEnd(nil)
      return []
    }
    new.request = try change.request(from: setup.request, running: format) {
      () throws(CaptureError) in
      try input.withOpen { (device) throws(CaptureError) in try device.formats() }
    }
    if change.rates != nil, let format, format.has(new.request),
      let rate = new.request.framesPerSecond,
      let deviceRate = format.deviceFrameRate?.framesPerSecond, rate <= deviceRate
    {
      // The stream goes on, and its frames are thinned out.
      new.request.framesPerSecond = deviceRate
    }
    let isRunning = machine.state == .running
    let isOther = new.request != setup.request
    // A stream that runs shows that the camera has its format.
    let isUntried = isOther && !(isRunning && format?.satisfies(new.request) == true)
    let endsStream = isRunning && isUntried
    let turnsMovie =
      isRunning && new.configuration.orientations.capture != configuration.orientations.capture
    if isUntried {
      try input.withOpen { (device) throws(CaptureError) in try device.check(new.request) }
    }
    if endsStream || turnsMovie, let obstacle { throw obstacle }
    guard endsStream else {
      let states = try set(change.settings, effect: effect)
      if isOther, !isRunning, setup.lastFormat?.satisfies(new.request) != true {
        new.lastFormat = nil
      }
      let isConfigured = new.configuration != configuration
      adopt(new)
      if isConfigured { reportCapabilities() }
      return states
    }
    try transaction { (before) throws(CaptureError) in
      let old = try access.snapshot(of: change.settings)
      _ = try set(change.settings)
      before.controls = old
      effect?.onEnd(nil)
      try reopen(with: new, &before)
    }
    return try controls(change.settings.map(\.control))
  }

  /// Replaces the device, and sets the new one's format and controls.
  ///
  /// A mistake that shows when the new device is opened leaves the old one alone. If a later step
  /// fails, the old one is opened again, in its old format and with its old controls.
  /// - Throws: The error of the new device, of the `input` unless it names another part;
  ///   or `obstacle`; `conflict` if the session is suspended.
  func switchInput(
    to input: SessionInput, with change: SessionConfiguration,
    unlessMovieEnds obstacle: CaptureError?
  ) throws(CaptureError) -> [ControlState] {
    if machine.state.isHeld, let failure = machine.state.failure {
      throw CaptureError(.conflict, failure.error.message)
    }
    var new =
      self.input.left.state(of: input.device.identification)
      ?? SessionInputs.State(setup: SessionSetup(request: input.request))
    let device = WatchedDevice(input.device, callWatch)
    let wanted = try request(of: device, for: change, from: new.setup.request)
    if machine.state == .running, let obstacle { throw obstacle }
    if wanted != new.setup.request { new.setup.ask(for: wanted) }
    // Streams are the camera's and not the device's.
    new.setup.configuration.streams = configuration.streams
    new.setup.configuration = new.setup.configuration.merged(with: change)
    try new.setup.configuration.checkStreams()

    stopRamp()
    let old = (self.device.identification, SessionInputs.State(setup: setup, ledger: ledger))
    let memory = memory
    let starts = ![.stopped, .idle].contains(machine.state)
    var states: [ControlState] = []
    try transaction { (before) throws(CaptureError) in
      replaceDevice(by: device, as: new)
      let controls = try access.snapshot(of: change.settings)
      if !change.settings.isEmpty { states = try set(change.settings) }
      before.controls = controls
      guard starts else { return }
      do throws(CaptureError) {
        try open(&before)
      } catch {
        throw error.ofInput
      }
      states = try self.controls(change.settings.map(\.control))
    }
    self.input.left.leave(old.0, old.1)
    if !self.input.isOwn { beginning.hold(memory) }
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
}

extension CaptureError {
  /// Whether the device may work in another format.
  var mayComeFromFormat: Bool {
    [.unsupportedFormat, .noBandwidth, .deviceFailed].contains(code)
  }

  fileprivate var ofInput: CaptureError {
    var error = self
    error.part = part ?? .input
    return error
  }
}
