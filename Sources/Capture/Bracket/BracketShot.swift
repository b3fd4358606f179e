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
