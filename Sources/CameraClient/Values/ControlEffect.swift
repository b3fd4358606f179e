/// What became of a change of controls in the pictures.
///
/// As JSON it is `{"effectiveFrame": …, "timestamp": …, "basis": "picture"}`, or `{"notSettled":
/// true, "frames": …}`. More cases may come, so a switch needs an `@unknown default`.
@nonexhaustive
public enum ControlEffect: Hashable, Sendable {
  /// The number of the first frame that the change affects, and its time.
  case frame(UInt64, Timestamp, Basis)
  /// No such frame was found among this many.
  case notSettled(frames: Int)
}

extension ControlEffect: CustomStringConvertible {
  /// "from frame 1234 on".
  public var description: String {
    switch self {
    case .frame(let sequence, _, .unchanged): "as before, in frame \(sequence) too"
    case .frame(let sequence, _, let basis): "from frame \(sequence) on (\(basis))"
    case .notSettled(0):
      "not looked for: too few frames came since the last change, so wait a moment between changes"
    case .notSettled(let frames): "not seen in \(frames) frames"
    }
  }
}

extension ControlEffect: Encodable {
  private enum CodingKeys: String, CodingKey {
    case effectiveFrame, timestamp, basis, notSettled, frames
  }

  /// Writes the JSON shape above.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .frame(let sequence, let timestamp, let basis):
      try container.encode(sequence, forKey: .effectiveFrame)
      try container.encode(timestamp, forKey: .timestamp)
      try container.encode(basis, forKey: .basis)
    case .notSettled(let frames):
      try container.encode(true, forKey: .notSettled)
      try container.encode(frames, forKey: .frames)
    }
  }
}

/// Controls that were set.
public struct AppliedControls: Hashable, Sendable, Encodable {
  /// With the values that took effect, in the order of the settings.
  public var controls: [Control]
  /// The first frame that they affect; nil if the node did not look, or the camera does not run.
  public var effect: ControlEffect?
}
