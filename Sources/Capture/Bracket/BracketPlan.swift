/// The settings of all shots of a bracket, and those that are put back after it.
package struct BracketPlan: Hashable, Sendable {
  /// One picture.
  struct Step: Hashable, Sendable {
    /// As the client named them.
    var settings: [CaptureSession.Setting]
    /// Those of the driver's controls.
    var changes: [CaptureSession.Setting]
  }

  /// The device whose controls change.
  package let device: String
  /// What the controls of all shots have before the bracket.
  package let before: [CaptureSession.Setting]
  let steps: [Step]

  /// What to put back for a step, because only the step before it changes it, in the opposite
  /// order.
  func returns(before index: Int) -> [CaptureSession.Setting] {
    guard index > 0 else { return [] }
    let (last, next) = (steps[index - 1].changes, steps[index].changes)
    return before.reversed().filter { old in
      last.contains { $0.control == old.control } && !next.contains { $0.control == old.control }
    }
  }
}
