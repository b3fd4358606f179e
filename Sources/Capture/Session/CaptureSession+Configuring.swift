extension CaptureSession {
  /// Changes the input, the format, the controls and the rest of the configuration together: all of
  /// it holds then, or nothing of it.
  ///
  /// A camera that runs goes on in its old format, with its old controls, if anything fails. A
  /// stopped one takes the change for its next start. Orientations, and rates that the running
  /// stream can be thinned to, change without another start. A ramp of the zoom ends where it
  /// stands.
  /// - Parameter obstacle: the error to throw if a movie of the running stream would have to end
  ///   for the change.
  /// - Parameter effect: what to find out about the effect on the frames, if the stream goes on.
  /// - Returns: the controls that were set, with the values that took effect.
  /// - Throws: the device's error, or `obstacle`; `interrupted` while the camera cannot be asked.
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
    if change.needsDevice, let failure = machine.state.failure {
      throw CaptureError(.interrupted, "\(failure.error.message): ask again when the camera runs")
    }
    let new = configuration.merged(with: change)
    try new.checkStreams()
    guard change.needsDevice || machine.state == .running else {
      adopt(new)
      effect?.onEnd(nil)
      return []
    }
    var wanted = try change.request(from: request, running: format) { () throws(CaptureError) in
      try withOpenDevice { (device) throws(CaptureError) in try device.formats() }
    }
    if change.rates != nil, let format, format.has(wanted), let rate = wanted.framesPerSecond,
      let deviceRate = format.deviceFrameRate?.framesPerSecond, rate <= deviceRate
    {
      // The stream goes on, and its frames are thinned out.
      wanted.framesPerSecond = deviceRate
    }
    let isRunning = machine.state == .running
    let endsStream = isRunning && wanted != request && format?.satisfies(wanted) != true
    let turnsMovie =
      isRunning && new.orientations.capture != configuration.orientations.capture
    if wanted != request {
      try withOpenDevice { (device) throws(CaptureError) in try device.check(wanted) }
    }
    if endsStream || turnsMovie, let obstacle { throw obstacle }
    let before = try snapshot(of: change.settings)
    let states = try set(change.settings, effect: endsStream ? nil : effect)
    guard endsStream else {
      if wanted != request, [.stopped, .idle].contains(machine.state) {
        if lastFormat?.satisfies(wanted) != true { lastFormat = nil }
        announce()
      }
      request = wanted
      let isOther = new != configuration
      adopt(new)
      if isOther { reportCapabilities() }
      return states
    }
    effect?.onEnd(nil)
    do throws(CaptureError) {
      try reconfigure(wanted, new)
    } catch {
      restore(before)
      throw error
    }
    return try controls(change.settings.map(\.control))
  }

  /// What is to be put back if a change fails.
  struct ControlSnapshot {
    let ledger: ControlLedger
    let values: [Setting]
  }

  /// The values are those of the driver's own controls: putting back what one with a meaning says
  /// would switch automatics off.
  func snapshot(of settings: [Setting]) throws(CaptureError) -> ControlSnapshot {
    let values = try expanded(settings).compactMap { setting -> Setting? in
      guard let value = try? controls([setting.control]).first?.value else { return nil }
      return Setting(setting.control, to: value)
    }
    return ControlSnapshot(ledger: ledger, values: values)
  }

  /// Puts the controls back, in the opposite order. What cannot be set now is set when the camera
  /// starts again.
  func restore(_ before: ControlSnapshot) {
    let refused = before.values.reversed().filter { old in (try? set([old])) == nil }
    ledger.replaceWishes(by: before.ledger.wanted + refused)
  }
}
