extension CaptureSession {
  /// One control to set.
  package struct Setting: Codable, Hashable, Sendable {
    package var control: ControlID
    package var value: ControlValue

    package init(_ control: ControlID, to value: ControlValue) {
      self.control = control
      self.value = value
    }
  }

  /// All controls with their present values: those with a meaning, then the driver's own.
  package func controls() throws(CaptureError) -> [ControlState] {
    try input.withOpen { (device) throws(CaptureError) in try states(of: device) }
  }

  /// Some controls with their present values, in the order of `ids`.
  package func controls(_ ids: [ControlID]) throws(CaptureError) -> [ControlState] {
    try input.withOpen { (device) throws(CaptureError) in
      let meanings =
        ids.contains(where: ControlMeanings.names.contains)
        ? ControlMeanings(try device.controls()) : nil
      return try ids.map { (id) throws(CaptureError) in
        if let meanings, ControlMeanings.names.contains(id) {
          return withRamp(
            meanings.state(of: try meanings.control(id)) { try? value(of: $0) })
        }
        let control = try Self.control(id, of: device)
        return ControlState(control: control, value: try readable(control))
      }
    }
  }

  /// Sets all controls or none: if one fails, those before it get their old values back.
  /// - Parameter effect: what to find out about the change's effect on the frames.
  package func set(
    _ settings: [Setting], effect: EffectRequest? = nil
  ) throws(CaptureError) -> [ControlState] {
    let raw = try expanded(settings)
    if let ramp, raw.contains(where: { $0.control == ramp.control }) {
      return try endingRamp { () throws(CaptureError) in try set(settings, effect: effect) }
    }
    let owes = !ledger.owed.isEmpty
    let search = effect.flatMap { holdsPicture(settings, $0) ? nil : beginSearch(for: raw, $0) }
    let effective: [Setting]
    do throws(CaptureError) {
      effective = try apply(raw)
    } catch {
      search?.cancel()
      throw error
    }
    let states = try controls(raw.map(\.control))
    for (setting, state) in zip(effective, states) { ledger.want(setting, of: state.control) }
    took(settings + effective)
    if owes, ledger.owed.isEmpty { report.send(.controlsPutBack) }
    for state in states { report(state) }
    search?.arm()
    if search == nil { effect?.onEnd(nil) }
    return try controls(settings.map(\.control))
  }

  /// Sets the driver's controls for one shot of a plan, which nobody wants to keep.
  /// - Parameter returns: what the shot before it has changed.
  func setForShot(
    _ returns: [Setting], _ changes: [Setting], effect: EffectRequest
  ) throws(CaptureError) {
    let all = returns + changes
    if let ramp, all.contains(where: { $0.control == ramp.control }) { stopRamp() }
    let search = beginSearch(for: all, effect)
    do throws(CaptureError) {
      // An automatic that is put back sets the others.
      let refused = put(returns).filter { refused in
        (try? device.control(refused.key))?.flags.contains(.inactive) != true
      }
      if let error = refused.first?.value { throw error }
      _ = try apply(changes)
      for state in try controls(all.map(\.control)) { report(state) }
    } catch {
      search?.cancel()
      throw error
    }
    search?.arm()
    if search == nil { effect.onEnd(nil) }
  }

  /// The settings of the driver's controls, and of a zoom that the node makes, for which these
  /// stand.
  func expanded(_ settings: [Setting]) throws(CaptureError) -> [Setting] {
    guard settings.contains(where: \.hasMeaning) else { return settings }
    return try input.withOpen { (device) throws(CaptureError) in
      try ControlMeanings(try device.controls()).expand(settings) { try? self.value(of: $0) }
    }
  }

  /// Whether settings only hold what an automatic has decided, so that no picture can show them.
  private func holdsPicture(_ settings: [Setting], _ request: EffectRequest) -> Bool {
    guard request.isWanted == nil, !device.saysFacts, let meanings else { return false }
    return settings.allSatisfy { meanings.holdsPicture($0) }
  }

  private func apply(_ settings: [Setting]) throws(CaptureError) -> [Setting] {
    try input.withOpen { (device) throws(CaptureError) in
      var (effective, undo): ([Setting], [Setting]) = ([], [])
      do throws(CaptureError) {
        for setting in settings {
          let old = try? value(of: setting.control)
          let new = try setValue(setting.value, of: setting.control)
          effective.append(Setting(setting.control, to: new))
          if let old { undo.append(Setting(setting.control, to: old)) }
        }
      } catch {
        for setting in undo.reversed() {
          _ = try? setValue(setting.value, of: setting.control)
        }
        throw error
      }
      return effective
    }
  }

  /// Sets the values that clients had set before, and reads them back. Values that the device
  /// refuses are reported and left as they are.
  /// - Returns: the outcome in words; nil if there was nothing to set.
  func restoreControls() -> String? {
    ledger.owe(input.takeOwed())
    readStartControls()
    let (wanted, owes) = (ledger.settings, !ledger.owed.isEmpty)
    var refused = put(wanted)
    ledger.settle()
    if owes { report.send(.controlsPutBack) }
    let states = (try? states(of: device)) ?? []
    meanings = ControlMeanings(states.map(\.control))
    keepCrop()
    for state in ledger.opened(with: states) { report.send(.control(state)) }
    guard !wanted.isEmpty else { return nil }
    // An automatic that is wanted itself sets these, as it did before.
    for state in states where state.control.flags.contains(.inactive) {
      refused[state.control.id] = nil
    }
    let changed = states.filter { state in
      guard let value = state.value, !state.control.flags.contains(.inactive) else { return false }
      return wanted.contains { $0.control == state.control.id && $0.value != value }
    }
    beginning.refusals.removeAll { old in
      wanted.contains { $0.control.rawValue == old.setting }
    }
    for (control, error) in refused.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      refuse(
        control.rawValue, error.message, "\(control) could not be put back: \(error.message)")
    }
    for state in changed where refused[state.control.id] == nil {
      refuse(
        state.control.id.rawValue, "the camera made another value of it",
        "\(state.control.id) was put back, and the camera made another value of it")
    }
    let failures = Set(refused.keys).union(changed.map(\.control.id)).count
    let whole = wanted.count == 1 ? "1 control" : "\(wanted.count) controls"
    return failures == 0
      ? "put back \(whole)" : "put back \(wanted.count - failures) of \(whole)"
  }

  /// - Returns: the controls that could not be set, with the reasons.
  func put(_ settings: [Setting]) -> [ControlID: CaptureError] {
    var left = settings
    while true {
      var refused: [ControlID: CaptureError] = [:]
      for setting in left {
        do throws(CaptureError) {
          _ = try setValue(setting.value, of: setting.control)
        } catch {
          refused[setting.control] = error
        }
      }
      // A control may be writable only after another has its value: the exposure time after manual
      // exposure. So try again as long as that helps.
      guard !refused.isEmpty, refused.count < left.count else { return refused }
      left.removeAll { refused[$0.control] == nil }
    }
  }

  /// Reports a control that the device says has changed. Drivers also say so after a control was
  /// set or read.
  func controlChanged(_ id: ControlID) {
    if let state = try? controls([id]).first { report(state) }
  }

  /// Reports the state of a control of the driver's, and of those whose meaning changes with it,
  /// unless they were reported before.
  func report(_ state: ControlState) {
    guard ledger.isNews(state) else { return }
    report.send(.control(state))
    guard let dependents = meanings?.dependents(on: state.control.id),
      let states = try? controls(dependents)
    else { return }
    for state in states where ledger.isNews(state) {
      report.send(.control(state))
      input.expectExposure(state)
    }
  }

  private func states(of device: any CameraDevice) throws(CaptureError) -> [ControlState] {
    let controls = try device.controls()
    // A control that cannot be read now does not hide the others.
    let states = controls.map { control in
      var state = ControlState(control: control, value: nil)
      do throws(CaptureError) {
        state.value = try readable(control)
      } catch {
        state.problem = error.message
      }
      return state
    }
    let values = Dictionary(states.map { ($0.control.id, $0.value) }) { first, _ in first }
    let meanings = ControlMeanings(controls)
    let meant = meanings.controls.map { control in
      withRamp(meanings.state(of: control) { values[$0] ?? (try? value(of: $0)) })
    }
    return meant + states
  }

  private func withRamp(_ state: ControlState) -> ControlState {
    var state = state
    if state.control.id == .zoom { state.rampingTo = ramp?.target }
    return state
  }

  /// - Throws: `noSuchControl`, naming the control that was probably meant, of both sorts.
  private static func control(
    _ id: ControlID, of device: any CameraDevice
  ) throws(CaptureError) -> ControlDescription {
    do throws(CaptureError) {
      return try device.control(id)
    } catch  where error.code == .noSuchControl {
      guard let controls = try? device.controls() else { throw error }
      let meanings = ControlMeanings(controls).controls
      throw .noSuchControl(id, among: (meanings + controls).map(\.id))
    }
  }

  private func readable(_ control: ControlDescription) throws(CaptureError) -> ControlValue? {
    guard control.kind != .button, !control.flags.contains(.writeOnly),
      !control.flags.contains(.disabled), control.problem == nil
    else { return nil }
    return try value(of: control.id)
  }
}
