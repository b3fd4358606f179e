/// The meanings that one device's controls have.
package struct ControlMeanings: Sendable {
  /// The names of all meanings. A driver's control has none of them.
  package static let names = Set(ControlMeaning.all.map(\.id))

  /// In the table's order.
  let controls: [ControlDescription]
  let device: [StandardControl: ControlDescription]

  package init(_ controls: some Sequence<ControlDescription>) {
    let usable = controls.filter { !$0.flags.contains(.disabled) && $0.problem == nil }
    let pairs = usable.compactMap { control in control.standard.map { ($0, control) } }
    device = Dictionary(pairs) { first, _ in first }
    self.controls = ControlMeaning.all.compactMap { [device] in $0.description(on: device) }
  }

  /// Whether the node zooms, because the device cannot.
  var makesZoom: Bool { controls.contains { $0.id == .zoom && $0.sources == [.crop] } }

  func control(_ id: ControlID) throws(CaptureError) -> ControlDescription {
    guard let control = controls.first(where: { $0.id == id }) else {
      throw .noSuchControl(id, among: controls.map(\.id))
    }
    return control
  }

  /// The meanings that change with a control of the driver's.
  func dependents(on id: ControlID) -> [ControlID] {
    controls.filter { $0.readSources.contains(id) }.map(\.id)
  }

  /// The state of a control with a meaning.
  /// - Parameter value: The present values of the driver's controls.
  func state(
    of control: ControlDescription, _ value: (ControlID) -> ControlValue?
  ) -> ControlState {
    let meaning = ControlMeaning.all.first { $0.id == control.id }
    return ControlState(control: control, value: meaning?.value(on: device, value))
  }

  /// The settings of the driver's controls that a list of settings stands for, what they need
  /// first. What holds a present value gives way to a setting that names another one.
  /// - Parameter present: The present values of the driver's controls.
  /// - Throws: `noSuchControl`; `invalidControlValue`, naming the values that it takes;
  ///   `invalidArgument` if two settings contradict each other.
  func expand(
    _ settings: [CaptureSession.Setting], _ present: (ControlID) -> ControlValue? = { _ in nil }
  ) throws(CaptureError) -> [CaptureSession.Setting] {
    var expanded: [CaptureSession.Setting] = []
    var origins: [ControlID: ControlID] = [:]
    for setting in settings {
      // Each has bits of its own in a lock.
      let lock = device[.lockOfAutomatics]?.id
      let steps = try steps(of: setting) { id in
        id == lock ? expanded.last { $0.control == id }?.value ?? present(id) : present(id)
      }
      for step in steps {
        if step.control != lock, let origin = origins[step.control], origin != setting.control {
          let before = expanded.last { $0.control == step.control }
          guard before?.value != step.value else { continue }
          if holds(step.control, setting.control) { continue }
          if holds(step.control, origin) {
            expanded.removeAll { $0.control == step.control }
            origins[step.control] = setting.control
            expanded.append(step)
            continue
          }
          throw CaptureError(
            .invalidArgument,
            "\(setting.control) and \(origin) contradict each other: leave one of them out",
            part: .control(setting.control))
        }
        origins[step.control] = setting.control
        expanded.append(step)
      }
    }
    return expanded
  }

  /// Whether a setting only holds what an automatic has decided.
  func holdsPicture(_ setting: CaptureSession.Setting) -> Bool {
    guard let meaning = ControlMeaning.all.first(where: { $0.id == setting.control }),
      case .choice(let choices, _) = meaning.form,
      case .integer(let index)? = try? control(setting.control).checked(setting.value),
      choices.indices.contains(Int(index))
    else { return false }
    return !choices[Int(index)].held.isEmpty
  }

  /// Whether a meaning sets this control only to hold what it is.
  private func holds(_ control: ControlID, _ id: ControlID) -> Bool {
    guard let meaning = ControlMeaning.all.first(where: { $0.id == id }),
      case .choice(let choices, _) = meaning.form
    else { return false }
    return choices.flatMap(\.held).contains { device[$0]?.id == control }
  }

  private func steps(
    of setting: CaptureSession.Setting, _ present: (ControlID) -> ControlValue?
  ) throws(CaptureError) -> [CaptureSession.Setting] {
    guard let meaning = ControlMeaning.all.first(where: { $0.id == setting.control }) else {
      return [setting]
    }
    let value = try control(setting.control).checked(setting.value)
    return meaning.settings(to: value, on: device, present)
  }
}

extension CaptureSession.Setting {
  /// Whether the control is one with a meaning, and not the driver's own.
  var hasMeaning: Bool { ControlMeanings.names.contains(control) }
}
