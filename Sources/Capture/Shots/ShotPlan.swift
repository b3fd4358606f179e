/// Pictures that are taken with other settings of the controls, which are put back after them: a
/// bracket, or a photo with the flash.
package struct ShotPlan: Hashable, Sendable {
  enum Shots: Hashable, Sendable {
    case bracket([BracketStep])
    case flash(FlashStep)
  }

  /// The device whose controls change.
  package let device: String
  /// What the controls of all shots have before them.
  package let before: [CaptureSession.Setting]
  let shots: Shots
}

/// One picture of a bracket.
struct BracketStep: Hashable, Sendable {
  /// As the client named them.
  var settings: [CaptureSession.Setting]
  /// The changes of the driver's controls.
  var changes: [CaptureSession.Setting]
  /// By how many exposure values it is brighter, if that is what it changes.
  var bias: Double?
}

extension ShotPlan {
  /// What to put back for a step of a bracket, because only the step before it changes it, in the
  /// opposite order.
  func returns(before index: Int, of steps: [BracketStep]) -> [CaptureSession.Setting] {
    guard index > 0 else { return [] }
    let (last, next) = (steps[index - 1].changes, steps[index].changes)
    return before.reversed().filter { old in
      last.contains { $0.control == old.control } && !next.contains { $0.control == old.control }
    }
  }
}

/// A device's controls with their present values, for a plan of what changes them and is put back.
struct PresentControls {
  let controls: [ControlDescription]
  /// The present value of a control of the driver's, or of a zoom that the node makes.
  let value: (ControlID) -> ControlValue?
  let meanings: ControlMeanings

  init(_ controls: [ControlDescription], _ value: @escaping (ControlID) -> ControlValue?) {
    self.controls = controls
    self.value = value
    meanings = ControlMeanings(controls)
  }

  /// The present value of the control that a setting changes.
  /// - Throws: If the control could not be put back, or does not take the value.
  func valueToPutBack(
    _ change: CaptureSession.Setting
  ) throws(CaptureError) -> CaptureSession.Setting {
    if let control = controls.first(where: { $0.id == change.control }) {
      guard control.kind != .button, !control.flags.contains(.volatile) else {
        throw CaptureError(
          .invalidArgument,
          "\(control.id) has no value that could be put back after the photos: leave it out",
          part: .control(control.id))
      }
      // The automatic that sets it now may be switched off by a setting before.
      var settable = control
      settable.flags.remove(.inactive)
      _ = try settable.checked(change.value)
    } else if change.control != .zoom {
      throw .noSuchControl(change.control, among: (meanings.controls + controls).map(\.id))
    }
    guard let old = value(change.control) else { throw .isUnreadable(change.control) }
    return CaptureSession.Setting(change.control, to: old)
  }
}

extension CaptureError {
  static func isUnreadable(_ control: ControlID) -> CaptureError {
    CaptureError(
      .invalidArgument,
      "the camera does not say what \(control) is now, so it could not be put back after the photos: "
        + "leave it as it is",
      part: .control(control))
  }
}
