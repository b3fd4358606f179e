import Glibc

/// Finds the settings for the shots of a bracket. Pure.
struct BracketPlanner {
  /// By how much an exposure may differ from the one asked for: 5 %, and the same in EV.
  private static let (tolerance, biasTolerance) = (0.05, log2(1.05))

  private static let duration = ControlID.exposureDuration
  private static let mode = ControlID(rawValue: "exposure.mode")

  private let present: PresentControls
  private var meanings: ControlMeanings { present.meanings }
  private var value: (ControlID) -> ControlValue? { present.value }

  init(_ present: PresentControls) {
    self.present = present
  }

  /// - Throws: `noSuchControl`, `invalidControlValue` or `controlNotWritable` with the control;
  ///   `invalidArgument` for what the camera cannot do exactly enough, or could not put back.
  func plan(_ shots: [BracketShot], of device: String) throws(CaptureError) -> ShotPlan {
    var steps: [BracketStep] = []
    var before: [CaptureSession.Setting] = []
    for shot in shots {
      let settings = try settings(for: shot)
      let changes = try meanings.expand(settings, value)
      for change in changes {
        let old = try present.valueToPutBack(change)
        if !before.contains(where: { $0.control == change.control }) { before.append(old) }
      }
      var step = BracketStep(settings: settings, changes: changes)
      if case .settings = shot {} else { try requireExact(settings[0], by: changes) }
      if case .bias = shot { step.bias = bias(of: settings[0], by: changes) }
      steps.append(step)
    }
    return ShotPlan(device: device, before: before, shots: .bracket(steps))
  }

  private func settings(for shot: BracketShot) throws(CaptureError) -> [CaptureSession.Setting] {
    switch shot {
    case .settings(let settings): return settings
    case .exposure(let time):
      return [CaptureSession.Setting(Self.duration, to: .number(Double(time) / 1e9))]
    case .bias(let bias): return [try setting(for: bias)]
    }
  }

  /// An automatic exposure is moved by its own bias, if it has one. Otherwise the exposure is held
  /// at the time that the driver says, and multiplied.
  private func setting(for bias: Double) throws(CaptureError) -> CaptureSession.Setting {
    if isAutomatic, let control = try? meanings.control(.exposureBias) {
      guard let present = number(of: control, value) else { throw .isUnreadable(control.id) }
      return CaptureSession.Setting(control.id, to: .number(present + bias))
    }
    let control = try meanings.control(Self.duration)
    guard let present = number(of: control, value), present > 0 else {
      throw .isUnreadable(control.id)
    }
    return CaptureSession.Setting(control.id, to: .number(present * exp2(bias)))
  }

  /// The exposure values that the driver's steps make of a setting: those of an automatic, or the
  /// ratio to the exposure before the bracket.
  private func bias(
    of setting: CaptureSession.Setting, by changes: [CaptureSession.Setting]
  ) -> Double? {
    guard let control = try? meanings.control(setting.control),
      let actual = number(of: control, after: changes)
    else { return nil }
    guard control.id != .exposureBias else { return actual }
    return number(of: control, value).map { log2(actual / $0) }
  }

  private func number(
    of control: ControlDescription, after changes: [CaptureSession.Setting]
  ) -> Double? {
    number(of: control) { id in changes.last { $0.control == id }?.value ?? value(id) }
  }

  private var isAutomatic: Bool {
    guard let control = try? meanings.control(Self.mode),
      case .integer(let index)? = meanings.state(of: control, value).value
    else { return false }
    return control.menu.contains { $0.index == index && $0.name == "auto" }
  }

  private func number(
    of control: ControlDescription, _ value: (ControlID) -> ControlValue?
  ) -> Double? {
    guard case .number(let number)? = meanings.state(of: control, value).value else { return nil }
    return number
  }

  /// - Throws: `invalidArgument` if the driver's steps are too coarse for a setting.
  private func requireExact(
    _ setting: CaptureSession.Setting, by changes: [CaptureSession.Setting]
  ) throws(CaptureError) {
    let control = try meanings.control(setting.control)
    guard case .number(let wanted) = setting.value,
      let actual = number(of: control, after: changes)
    else { return }
    let isExact =
      control.id == .exposureBias
      ? abs(actual - wanted) <= Self.biasTolerance
      : abs(actual - wanted) <= Self.tolerance * wanted
    guard !isExact else { return }
    throw CaptureError(
      .invalidArgument,
      "\(control.id) can be \(actual) and not \(wanted), which differs by more than 5 %: ask for another shot",
      part: .control(control.id))
  }
}

/// What one picture of a bracket is to be taken with.
package enum BracketShot: Hashable, Sendable {
  package static let most = 16

  /// Exposure values, by which it is brighter than it would have been.
  case bias(Double)
  /// How long each pixel is exposed, nanoseconds.
  case exposure(Int64)
  /// Controls of any kind, set in this order.
  case settings([CaptureSession.Setting])
}

/// What a picture of a bracket was taken with, and how that is known.
package struct ResolvedShot: Codable, Hashable, Sendable {
  /// From 1.
  package var index: Int
  package var count: Int
  /// The controls that the shot changes, with the values that took effect.
  package var settings: [CaptureSession.Setting]
  package var evidence: ControlEffect.Basis
  /// How long each pixel was exposed, nanoseconds, as the controls say; nil if an automatic
  /// decided.
  package var exposure: Int64?
  /// By how many exposure values it was to be brighter than without the bracket, as the driver's
  /// steps allowed it; nil for a shot that says something else.
  package var bias: Double?
}
