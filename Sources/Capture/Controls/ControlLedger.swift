/// The values that clients want a device's controls to have, and the states of controls that were
/// reported last. Pure.
struct ControlLedger {
  /// What the node's configuration wants. Wishes of clients come before it.
  private(set) var base: [CaptureSession.Setting] = []
  /// The settings of clients, the latest last. They are set again when the device comes back.
  private(set) var wanted: [CaptureSession.Setting] = []
  /// What a bracket or a flash has changed and not put back yet.
  private(set) var owed: [CaptureSession.Setting] = []
  private var reported: [ControlID: ControlState] = [:]

  /// Remembers a setting that took effect, except of buttons and of controls that change by
  /// themselves.
  mutating func want(_ setting: CaptureSession.Setting, of control: ControlDescription) {
    guard control.kind != .button, !control.flags.contains(.volatile) else { return }
    want(setting)
  }

  /// Remembers a setting that took effect.
  mutating func want(_ setting: CaptureSession.Setting) {
    wanted.removeAll { $0.control == setting.control }
    wanted.append(setting)
    owed.removeAll { $0.control == setting.control }
  }

  /// Remembers what is to be put back. What is owed already counts, because it is older.
  mutating func owe(_ settings: [CaptureSession.Setting]) {
    for setting in settings where !owed.contains(where: { $0.control == setting.control }) {
      owed.append(setting)
    }
  }

  /// What was owed is put back.
  /// - Parameter refused: The controls that could not be set.
  mutating func settle(except refused: Set<ControlID> = []) {
    owed.removeAll { !refused.contains($0.control) }
  }

  /// What a device must be given when it is opened: what the configuration wants, what is owed, in
  /// the opposite order, and what clients want.
  var settings: [CaptureSession.Setting] {
    var settings: [CaptureSession.Setting] = []
    for setting in base + owed.reversed() + wanted {
      settings.removeAll { $0.control == setting.control }
      settings.append(setting)
    }
    return settings
  }

  /// Wants these settings for the configuration.
  mutating func found(on settings: [CaptureSession.Setting]) { base = settings }

  /// Goes on to want what clients want, as if the configuration did.
  mutating func forgetClients() {
    base += wanted
    wanted = []
  }

  /// Wants these settings only, of which later ones count.
  mutating func replaceWishes(by settings: [CaptureSession.Setting]) {
    wanted = []
    for setting in settings { want(setting) }
  }

  /// The value of a control as it was reported last.
  func value(of control: ControlID) -> ControlValue? { reported[control]?.value }

  /// Whether this state differs from the one reported last, or none was. From now on it counts as
  /// reported.
  mutating func isNews(_ state: ControlState) -> Bool {
    reported.updateValue(state, forKey: state.control.id) != state
  }

  /// Takes the states of all controls after the device was opened.
  /// - Returns: Those that changed since they were reported. Controls that were never reported are
  ///   not among them.
  mutating func opened(with states: [ControlState]) -> [ControlState] {
    states.filter { state in
      let old = reported.updateValue(state, forKey: state.control.id)
      return old != nil && old != state
    }
  }
}
