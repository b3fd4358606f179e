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
    try withOpenDevice { (device) throws(CaptureError) in
      try device.controls().map { (control) throws(CaptureError) in
        ControlState(control: control, value: try Self.value(of: control, device))
      }
    }
  }

  /// Some controls with their present values, in the order asked for.
  package func controls(_ ids: [ControlID]) throws(CaptureError) -> [ControlState] {
    try withOpenDevice { (device) throws(CaptureError) in
      let all = try device.controls()
      return try ids.map { (id) throws(CaptureError) in
        guard let control = all.first(where: { $0.id == id }) else {
          // The device names what is near.
          return ControlState(
            control: ControlDescription(id: id, name: id.rawValue, kind: .integer),
            value: try device.value(of: id)
          )
        }
        return ControlState(control: control, value: try Self.value(of: control, device))
      }
    }
  }

  func state(of id: ControlID) throws(CaptureError) -> ControlState? {
    try controls([id]).first
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
    for (setting, state) in zip(settings, states) where state.control.kind != .button {
      wantedControls[setting.control] = setting.value
    }
    for state in states { announce(.control(state)) }
    return states
  }

  /// Puts back what clients had set; what the device refuses now is left as it is.
  func restoreControls() {
    for (control, value) in wantedControls { _ = try? device.setValue(value, of: control) }
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
