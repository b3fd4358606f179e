extension ControlMeaning.Choice {
  /// The driver's settings that bring it about.
  /// - Parameters:
  ///   - lock: Its bits in the control that locks automatics; 0 if it has none.
  ///   - present: The present values of the driver's controls.
  func settings(
    on device: ControlMeaning.Device, lock: Int64, _ present: (ControlID) -> ControlValue?
  ) -> [CaptureSession.Setting] {
    let step = alternatives.first { $0.isPossible(on: device) }
    var settings: [CaptureSession.Setting] = []
    if let control = device.lock(of: lock) {
      let locked = present(control.id)?.number ?? 0
      let isHeld = !held.isEmpty
      settings = [
        CaptureSession.Setting(control.id, to: .integer(isHeld ? locked | lock : locked & ~lock))
      ]
      // The automatic stays on, at its present values.
      if isHeld { return settings }
    }
    settings += others.filter { $0.control != step?.control }
      .compactMap { $0.isPossible(on: device) ? $0.setting(on: device) : nil }
    if let step, let setting = step.setting(on: device) { settings.append(setting) }
    if let step, isRunning(until: step, on: device, present) {
      settings += holds(on: device, present)
    }
    return settings
  }

  /// Gives controls the values that an automatic has given them, as far as the driver says these.
  /// It must end first.
  private func holds(
    on device: ControlMeaning.Device, _ present: (ControlID) -> ControlValue?
  ) -> [CaptureSession.Setting] {
    held.compactMap { control in
      guard let control = device[control],
        control.flags.isDisjoint(with: [.readOnly, .writeOnly, .grabbed]),
        let value = present(control.id), control.has(value)
      else { return nil }
      return CaptureSession.Setting(control.id, to: value)
    }
  }
}

extension ControlMeaning.Choice {
  /// Whether an automatic runs that this ends.
  private func isRunning(
    until step: ControlMeaning.Step, on device: ControlMeaning.Device,
    _ present: (ControlID) -> ControlValue?
  ) -> Bool {
    ([step] + others).contains { ending in
      guard let control = device[ending.control], let now = present(control.id)?.number else {
        return false
      }
      let ends = (alternatives + others).filter { $0.control == ending.control }
      return !ends.contains { $0.value == now }
    }
  }
}

extension ControlMeaning.Device {
  /// The control that locks automatics, if it has these bits.
  func lock(of bits: Int64) -> ControlDescription? {
    guard bits != 0, let control = self[.lockOfAutomatics], control.kind == .bitmask,
      control.maximum & bits == bits, control.flags.isDisjoint(with: [.readOnly])
    else { return nil }
    return control
  }
}

extension ControlDescription {
  /// Whether a value that the driver says is one of those that it takes.
  fileprivate func has(_ value: ControlValue) -> Bool {
    guard case .integer(let number) = value else { return false }
    return switch kind {
    case .integer, .integer64: (minimum...max(minimum, maximum)).contains(number)
    case .integerMenu: menu.contains { $0.index == number }
    default: false
    }
  }
}
