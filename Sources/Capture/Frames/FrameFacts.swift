/// How the camera took a frame, as far as that is known: from what it says with each frame, or from
/// its controls when they have not changed for long.
///
/// Units and directions are those of the controls with a meaning.
package struct FrameFacts: Codable, Hashable, Sendable {
  package enum Fact: CaseIterable, Sendable {
    case exposure, gain, focus, kelvin, zoom
  }

  /// As `exposure.duration`, but in nanoseconds.
  package var exposure: Int64?
  /// As `exposure.gain`: a share of the driver's range.
  package var gain: Double?
  /// As `focus.position`: 0 near to 1 far.
  package var focus: Double?
  /// As `white_balance.kelvin`.
  package var kelvin: Double?
  /// As `zoom`: a factor.
  package var zoom: Double?
  /// Whether the camera's flash lit it over its whole exposure; nil also if it did for a part.
  package var flash: Bool?

  package init() {}

  /// The value of the control with that meaning.
  subscript(fact: Fact) -> Double? {
    get {
      switch fact {
      case .exposure: exposure.map { Double($0) / 1e9 }
      case .gain: gain
      case .focus: focus
      case .kelvin: kelvin
      case .zoom: zoom
      }
    }
    set {
      switch fact {
      case .exposure: exposure = newValue.map { Int64(($0 * 1e9).rounded()) }
      case .gain: gain = newValue
      case .focus: focus = newValue
      case .kelvin: kelvin = newValue
      case .zoom: zoom = newValue
      }
    }
  }
}

extension FrameFacts.Fact {
  /// The control with that meaning.
  var control: ControlID {
    switch self {
    case .exposure: ControlID(rawValue: "exposure.duration")
    case .gain: ControlID(rawValue: "exposure.gain")
    case .focus: ControlID(rawValue: "focus.position")
    case .kelvin: ControlID(rawValue: "white_balance.kelvin")
    case .zoom: .zoom
    }
  }
}
