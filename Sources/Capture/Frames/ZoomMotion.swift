import OperatingSystem

/// A zoom that moves with each frame.
struct ZoomMotion {
  var ramp: ZoomRamp
  let number: Int
  /// The control that moves.
  let control: ControlID
  /// Whether the device has not made the last step yet. It gets no other one before.
  var isStepping = false

  mutating func step(at time: MonotonicTime) -> ZoomStep {
    let zoom = ramp.zoom(at: time)
    return ZoomStep(ramp: number, zoom: zoom, isLast: zoom == ramp.target)
  }
}

/// The zoom to which a frame has brought a ramp.
package struct ZoomStep: Hashable, Sendable {
  /// The number of the ramp.
  var ramp: Int
  var zoom: Double
  var isLast: Bool
}
