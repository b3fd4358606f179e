/// What a session remembers of its device's controls: what clients want them to be, and what was told of them last.
/// Pure.
struct ControlLedger {
  /// What clients set, the latest last: to be put back when the device comes back.
  private(set) var wanted: [CaptureSession.Setting] = []
  private var told: [ControlID: ControlState] = [:]

  /// Remembers a setting that took effect. What changes by itself and what is pushed have nothing to be put back.
  mutating func want(_ setting: CaptureSession.Setting, of control: ControlDescription) {
    guard control.kind != .button, !control.flags.contains(.volatile) else { return }
    wanted.removeAll { $0.control == setting.control }
    wanted.append(setting)
  }

  /// Whether a control's value or description is another than was told last, or was never told. It counts as told.
  mutating func isNews(_ state: ControlState) -> Bool {
    told.updateValue(state, forKey: state.control.id) != state
  }

  /// Takes in how all controls are when the device was opened.
  /// - Returns: those that changed since they were told; what was never told is no news.
  mutating func opened(with states: [ControlState]) -> [ControlState] {
    states.filter { state in
      let old = told.updateValue(state, forKey: state.control.id)
      return old != nil && old != state
    }
  }
}
