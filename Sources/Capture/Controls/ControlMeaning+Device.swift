extension ControlMeaning {
  typealias Device = [StandardControl: ControlDescription]

  /// The control as this device has it; nil if it does not.
  func description(on device: Device) -> ControlDescription? {
    switch form {
    case .number(let candidates, let scale, let unit):
      guard let source = device.first(of: candidates),
        let values = scale.values(of: source, unit: unit)
      else { return descriptionByNode }
      let needed = firstSteps(on: device).compactMap { device[$0.control] }
      var control = described(.number, [source] + needed)
      control.flags = source.flags.intersection([.readOnly, .writeOnly, .grabbed, .volatile])
      // Where setting it switches no automatic.
      if needed.isEmpty { control.flags.formUnion(source.flags.intersection(.inactive)) }
      control.scale = values
      return control
    case .choice(let choices, let lock):
      let steps = choices.map { choice in choice.alternatives.first { $0.isPossible(on: device) } }
      let isButton = steps.contains { $0?.isButton(on: device) ?? false }
      guard steps.count(where: { $0 != nil }) > (isButton ? 0 : 1) else { return nil }
      let others = choices.flatMap { $0.others }.filter { $0.isPossible(on: device) }
      let sources =
        (steps + others).compactMap { $0.flatMap { device[$0.control] } }
        + [device.lock(of: lock)].compactMap(\.self)
      var control = described(.menu, sources)
      for (index, step) in steps.enumerated() where step != nil {
        control.menu.append(.init(index: Int64(index), name: choices[index].name))
      }
      control.maximum = control.menu.last?.index ?? 0
      // What the driver's defaults mean.
      if case .integer(let index)? = value(
        on: device,
        { id in
          sources.first { $0.id == id }.map { .integer($0.defaultValue) }
        })
      {
        control.defaultValue = index
      }
      control.flags = sources[0].flags.intersection([.readOnly, .grabbed])
      return control
    case .toggle(let candidate):
      guard let source = device[candidate], source.kind == .boolean else { return nil }
      var control = described(.boolean, [source])
      control.maximum = 1
      control.defaultValue = source.defaultValue
      control.flags = source.flags.intersection([.readOnly, .grabbed])
      return control
    case .point(let region, let automatics, let bits):
      guard let parts = PointParts(region, automatics, bits, on: device) else { return nil }
      var control = described(.point, [parts.region, parts.automatics])
      let flags = parts.region.flags.union(parts.automatics.flags)
      control.flags = flags.intersection([.readOnly, .grabbed])
      return control
    }
  }

  /// The driver's settings that give it a value, which `checked` has let pass.
  /// - Parameter present: The present values of the driver's controls.
  func settings(
    to value: ControlValue, on device: Device, _ present: (ControlID) -> ControlValue?
  ) -> [CaptureSession.Setting] {
    if isMadeByNode(on: device) { return [CaptureSession.Setting(id, to: value)] }
    switch (form, value) {
    case (.number(let candidates, let scale, _), .number(let number)):
      guard let source = device.first(of: candidates),
        let raw = scale.raw(for: number, in: source)
      else { return [] }
      return firstSteps(on: device).compactMap { $0.setting(on: device) }
        + [CaptureSession.Setting(source.id, to: raw)]
    case (.choice(let choices, let lock), .integer(let index))
    where choices.indices.contains(Int(index)):
      return choices[Int(index)].settings(on: device, lock: lock, present)
    case (.toggle(let candidate), .boolean):
      return device[candidate].map { [CaptureSession.Setting($0.id, to: value)] } ?? []
    case (.point(let region, let automatics, let bits), .point(let point)):
      guard let parts = PointParts(region, automatics, bits, on: device) else { return [] }
      let (isWhole, bounds) = (point == .center, parts.bounds)
      let area = isWhole ? bounds.largest : ControlRegion(about: point, within: bounds)
      return [
        CaptureSession.Setting(parts.region.id, to: .array(area.elements)),
        CaptureSession.Setting(parts.automatics.id, to: .integer(isWhole ? 0 : parts.bits)),
      ]
    default:
      return []
    }
  }

  /// The value that follows from the driver's values; nil if they have no meaning here.
  func value(on device: Device, _ value: (ControlID) -> ControlValue?) -> ControlValue? {
    if isMadeByNode(on: device) { return value(id) }
    switch form {
    case .number(let candidates, let scale, _):
      guard let source = device.first(of: candidates) else { return nil }
      return scale.value(of: value(source.id), in: source).map(ControlValue.number)
    case .choice(let choices, let lock):
      let isLocked = device.lock(of: lock).flatMap { value($0.id)?.number }.map { $0 & lock != 0 }
      let steps = choices.flatMap(\.alternatives)
      // Others beside it do not decide.
      let main = steps.first { $0.isPossible(on: device) && !$0.isButton(on: device) }?.control
      let index = choices.firstIndex { choice in
        isLocked == true
          ? !choice.held.isEmpty
          : choice.alternatives.contains { $0.control == main && $0.isDone(on: device, value) }
      }
      return index.map { .integer(Int64($0)) }
    case .toggle(let candidate):
      return device[candidate].flatMap { value($0.id) }
    case .point(let region, let automatics, let bits):
      guard let parts = PointParts(region, automatics, bits, on: device),
        case .integer(let used)? = value(parts.automatics.id),
        case .array(let elements)? = value(parts.region.id)
      else { return nil }
      guard used & bits != 0 else { return .point(.center) }
      return ControlRegion(elements).map { .point($0.center(within: parts.bounds)) }
    }
  }

  /// Whether the node makes it, because the device cannot.
  func isMadeByNode(on device: Device) -> Bool {
    guard byNode != nil, case .number(let candidates, let scale, let unit) = form else {
      return false
    }
    return device.first(of: candidates).flatMap { scale.values(of: $0, unit: unit) } == nil
  }

  /// Nil if the node cannot make it either.
  private var descriptionByNode: ControlDescription? {
    guard let byNode else { return nil }
    var control = ControlDescription(id: id, name: name, kind: .number)
    control.scale = byNode
    control.sources = [.crop]
    return control
  }

  private func described(
    _ kind: ControlDescription.Kind, _ sources: [ControlDescription]
  ) -> ControlDescription {
    var control = ControlDescription(id: id, name: name, kind: kind)
    for source in sources where !control.sources.contains(source.id) {
      control.sources.append(source.id)
    }
    return control
  }

  /// What the device must do first.
  private func firstSteps(on device: Device) -> [Step] {
    needs.compactMap { alternatives in alternatives.first { $0.isPossible(on: device) } }
  }
}

/// What a device has of a point of interest.
private struct PointParts {
  let region: ControlDescription
  let bounds: ControlRegion.Bounds
  let automatics: ControlDescription
  /// The bits of the automatics that can go by the region.
  let bits: Int64

  /// Nil if it has not all of it.
  init?(
    _ region: StandardControl, _ automatics: StandardControl, _ bits: Int64,
    on device: ControlMeaning.Device
  ) {
    guard let region = device[region], let bounds = region.regions,
      let automatics = device[automatics], automatics.kind == .bitmask,
      automatics.maximum & bits != 0
    else { return nil }
    (self.region, self.bounds, self.automatics) = (region, bounds, automatics)
    self.bits = automatics.maximum & bits
  }
}

extension ControlMeaning.Device {
  func first(of candidates: [StandardControl]) -> ControlDescription? {
    candidates.lazy.compactMap { self[$0] }.first
  }
}

extension ControlDescription {
  /// The driver's controls from which the value of a control with a meaning follows.
  var readSources: ArraySlice<ControlID> { kind == .number ? sources.prefix(1) : sources[...] }
}

extension ControlMeaning.Step {
  /// Whether the device has the control, and the control this value.
  func isPossible(on device: ControlMeaning.Device) -> Bool {
    guard let control = device[self.control] else { return false }
    return switch control.kind {
    case .boolean: value == 0 || value == 1
    case .menu: control.menu.contains { $0.index == value }
    case .button: true
    default: false
    }
  }

  /// Whether the control has this value. A button never has one.
  func isDone(on device: ControlMeaning.Device, _ value: (ControlID) -> ControlValue?) -> Bool {
    guard let control = device[self.control], control.kind != .button else { return false }
    return value(control.id)?.number == self.value
  }

  func isButton(on device: ControlMeaning.Device) -> Bool { device[control]?.kind == .button }

  func setting(on device: ControlMeaning.Device) -> CaptureSession.Setting? {
    guard let control = device[self.control] else { return nil }
    let value: ControlValue =
      switch control.kind {
      case .boolean: .boolean(self.value == 1)
      case .button: .press
      default: .integer(self.value)
      }
    return CaptureSession.Setting(control.id, to: value)
  }
}

extension ControlValue {
  /// The number of an integer, a menu's item or a boolean.
  var number: Int64? {
    switch self {
    case .integer(let number): number
    case .boolean(let isOn): isOn ? 1 : 0
    default: nil
    }
  }
}

extension ControlMeaning {
  /// The meaning of one of the driver's controls that, when it is set, first switches off the
  /// automatic that would overrule it.
  static func overridingAutomatic(of control: StandardControl) -> ControlMeaning? {
    all.first { meaning in
      guard case .number(let sources, _, _) = meaning.form else { return false }
      return sources.contains(control) && !meaning.needs.isEmpty
    }
  }
}
