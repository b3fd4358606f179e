extension CaptureSession {
  /// One control to set.
  package struct Setting: Hashable, Sendable {
    package var control: ControlID
    package var value: ControlValue

    package init(_ control: ControlID, to value: ControlValue) {
      self.control = control
      self.value = value
    }
  }

  /// All controls with their present values.
  package func controls() throws(CaptureError) -> [ControlState] {
    try withOpenDevice { (device) throws(CaptureError) in try Self.states(of: device) }
  }

  /// Some controls with their present values, in the order asked for.
  package func controls(_ ids: [ControlID]) throws(CaptureError) -> [ControlState] {
    try withOpenDevice { (device) throws(CaptureError) in
      try ids.map { (id) throws(CaptureError) in
        let control = try device.control(id)
        return ControlState(control: control, value: try Self.value(of: control, device))
      }
    }
  }

  /// Sets all of them or none: when one fails, those before it get their old values back.
  package func set(_ settings: [Setting]) throws(CaptureError) -> [ControlState] {
    try withOpenDevice { (device) throws(CaptureError) in
      var undo: [Setting] = []
      do throws(CaptureError) {
        for setting in settings {
          let old = try? device.value(of: setting.control)
          _ = try device.setValue(setting.value, of: setting.control)
          if let old { undo.append(Setting(setting.control, to: old)) }
        }
      } catch {
        for setting in undo.reversed() {
          _ = try? device.setValue(setting.value, of: setting.control)
        }
        throw error
      }
    }
    let states = try controls(settings.map(\.control))
    for (setting, state) in zip(settings, states) { ledger.want(setting, of: state.control) }
    for state in states where ledger.isNews(state) { announce(.control(state)) }
    return states
  }

  /// Puts back what clients had set; what the device refuses for good is left as it is.
  func restoreControls() {
    var left = ledger.wanted
    var before = Int.max
    // One may be writable only when another has its value: manual exposure before the exposure time.
    while left.count < before {
      before = left.count
      left.removeAll { (try? device.setValue($0.value, of: $0.control)) != nil }
    }
    for state in ledger.opened(with: (try? Self.states(of: device)) ?? []) {
      announce(.control(state))
    }
  }

  /// The device says that a control changed, which drivers also say of what they have just been told or asked.
  func controlChanged(_ id: ControlID) {
    guard let state = try? controls([id]).first, ledger.isNews(state) else { return }
    announce(.control(state))
  }

  private static func states(
    of device: any CameraDevice
  ) throws(CaptureError) -> [ControlState] {
    // One that cannot be read now does not hide the others.
    try device.controls().map { ControlState(control: $0, value: try? value(of: $0, device)) }
  }

  private static func value(
    of control: ControlDescription,
    _ device: any CameraDevice
  ) throws(CaptureError) -> ControlValue? {
    guard control.kind != .button, !control.flags.contains(.writeOnly),
      !control.flags.contains(.disabled)
    else { return nil }
    return try device.value(of: control.id)
  }
}
