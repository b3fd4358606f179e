import EventLoop

/// What the device has and takes. The node zooms by cropping where it has no zoom.
extension ControlAccess {
  /// All controls with their present values: those with a meaning, then the driver's own.
  func states() throws(CaptureError) -> [ControlState] {
    try input.withOpen { (device) throws(CaptureError) in try states(of: device) }
  }

  /// Some controls with their present values, in the order of `ids`.
  func states(of ids: [ControlID]) throws(CaptureError) -> [ControlState] {
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

  func states(of device: any CameraDevice) throws(CaptureError) -> [ControlState] {
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
    if state.control.id == .zoom { state.rampingTo = zoomTarget }
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

  /// Whether an automatic of the driver's sets the control now.
  func isInactive(_ id: ControlID) -> Bool {
    (try? input.device.control(id))?.flags.contains(.inactive) == true
  }

  /// Whether settings only hold what an automatic has decided, so that no picture can show them.
  func holdsPicture(_ settings: [Setting], _ request: EffectRequest) -> Bool {
    guard request.isWanted == nil, !input.device.saysFacts, let meanings else { return false }
    return settings.allSatisfy { meanings.holdsPicture($0) }
  }

  // MARK: Setting

  /// The settings of the driver's controls, and of a zoom that the node makes, for which these
  /// stand.
  func expanded(_ settings: [Setting]) throws(CaptureError) -> [Setting] {
    guard settings.contains(where: \.hasMeaning) else { return settings }
    return try input.withOpen { (device) throws(CaptureError) in
      try ControlMeanings(try device.controls()).expand(settings) { try? value(of: $0) }
    }
  }

  /// Sets all of the driver's controls or none.
  func apply(_ settings: [Setting]) throws(CaptureError) -> [Setting] {
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

  /// - Returns: The controls that could not be set, with the reasons.
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

  /// The present value of a control of the driver's, or of a zoom that the node makes.
  func value(of control: ControlID) throws(CaptureError) -> ControlValue {
    // Without a stream there is no crop, and the next one gets it again.
    control == .zoom
      ? .number(pipeline.crop ?? wantedCrop ?? 1) : try input.device.value(of: control)
  }

  /// Sets a control of the driver's, or a zoom that the node makes.
  /// - Returns: The value that took effect.
  func setValue(
    _ value: ControlValue, of control: ControlID
  ) throws(CaptureError) -> ControlValue {
    guard control == .zoom, case .number(let factor) = value else {
      return try input.device.setValue(value, of: control)
    }
    crop(by: factor)
    return value
  }

  /// The zoom that clients want of the node.
  var wantedCrop: Double? {
    let wanted = ledger.settings.last { $0.control == .zoom }
    return if case .number(let factor)? = wanted?.value { factor } else { nil }
  }

  func crop(by factor: Double?) {
    guard factor != pipeline.crop else { return }
    let pipeline = pipeline
    pipeline.loop.performAndWait { pipeline.crop(by: factor) }
  }
}
