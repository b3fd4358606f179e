extension CaptureSession {
  /// Changes the input, the format and the controls together: all of it holds then, or nothing of
  /// it.
  ///
  /// A camera that runs goes on in its old format, with its old controls, if anything fails. A
  /// stopped one takes the change for its next start.
  /// - Parameter obstacle: the error to throw if a running stream would have to end for the change.
  /// - Returns: the controls that were set, with the values that took effect.
  /// - Throws: the device's error, or `obstacle`; `interrupted` while the camera cannot be asked.
  package func configure(
    _ change: SessionConfiguration, unlessStreamEnds obstacle: CaptureError? = nil
  ) throws(CaptureError) -> [ControlState] {
    if let input = change.input, input.device !== device {
      return try switchInput(to: input, with: change, unlessStreamEnds: obstacle)
    }
    if let failure = machine.state.failure {
      throw CaptureError(.interrupted, "\(failure.error.message): ask again when the camera runs")
    }
    let wanted = try change.request(from: request) { () throws(CaptureError) in
      try withOpenDevice { (device) throws(CaptureError) in try device.formats() }
    }
    let endsStream =
      machine.state == .running && wanted != request && format?.satisfies(wanted) != true
    if wanted != request {
      try withOpenDevice { (device) throws(CaptureError) in try device.check(wanted) }
    }
    if endsStream, let obstacle { throw obstacle }
    let before = snapshot(of: change.settings)
    let states = try set(change.settings)
    guard endsStream else {
      if wanted != request, machine.state == .stopped { lastFormat = nil }
      request = wanted
      return states
    }
    do throws(CaptureError) {
      try reconfigure(wanted)
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

  func snapshot(of settings: [Setting]) -> ControlSnapshot {
    let values = settings.compactMap { setting -> Setting? in
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
