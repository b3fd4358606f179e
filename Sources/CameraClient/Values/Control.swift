/// A setting of a camera, with its present value.
public struct Control: Hashable, Sendable, Encodable, Identifiable {
  /// One choice of a menu.
  public struct MenuItem: Hashable, Sendable, Codable {
    /// The value to set for it.
    public var index: Int64
    /// What the driver calls it.
    public var name: String
  }

  /// The values of a control with a meaning.
  public struct Range: Hashable, Sendable, Codable {
    /// The lowest value.
    public var minimum: Double
    /// The highest value.
    public var maximum: Double
    /// The distance between two values that the camera can tell apart; 0 if they are uneven.
    public var step: Double
    /// The driver's default.
    public var defaultValue: Double
  }

  /// The name to get and set it by: as V4L2 tools write it ("exposure_time_absolute"), or with a
  /// meaning that is the same for all cameras ("exposure.duration").
  public var id: String
  /// The driver's words for it.
  public var name: String
  /// The sort of its value.
  public var kind: Kind
  /// The lowest value.
  public var minimum: Int64
  /// The highest value.
  public var maximum: Int64
  /// Values differ from the lowest by multiples of this.
  public var step: Int64
  /// The driver's default.
  public var defaultValue: Int64
  /// The choices of a menu; otherwise empty.
  public var menu: [MenuItem]
  /// The dimensions of an array; otherwise empty.
  public var dimensions: [Int]
  /// Whether it cannot be set.
  public var isReadOnly: Bool
  /// Whether its value cannot be read.
  public var isWriteOnly: Bool
  /// Whether an automatic of the device sets it at present.
  public var isInactive: Bool
  /// Whether the device does not let it be changed at present.
  public var isGrabbed: Bool
  /// Whether it changes by itself.
  public var isVolatile: Bool
  /// The present value; nil for buttons, for controls that cannot be read, and for a shape that
  /// this client does not know.
  public var value: ControlValue?
  /// The values of the kind ``Kind/number``; nil for others.
  public var range: Range?
  /// "s", "K", "EV", "ISO"; empty for a factor, a share and the driver's own controls.
  public var unit = ""
  /// The driver's controls that a control with a meaning stands for, or "crop" for a zoom that the
  /// node makes; empty for the driver's own.
  public var sources: [String] = []
  /// Where a zoom that moves will come to rest; nil while it is at rest.
  public var rampingTo: Double?
  /// Why it cannot be read or set now, for a person to read; nil if it can, as far as the flags
  /// say.
  public var problem: String?

  private enum CodingKeys: String, CodingKey {
    case id, name, kind, minimum, maximum, step, defaultValue, menu, dimensions
    case isReadOnly, isWriteOnly, isInactive, isGrabbed, isVolatile
    case value, range, unit, sources, rampingTo, problem
  }

  /// Writes what applies: a number has its range and no whole numbers, and a point has neither.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(kind, forKey: .kind)
    if kind != .number, kind != .point {
      try container.encode(minimum, forKey: .minimum)
      try container.encode(maximum, forKey: .maximum)
      try container.encode(step, forKey: .step)
      try container.encode(defaultValue, forKey: .defaultValue)
      try container.encode(menu, forKey: .menu)
      try container.encode(dimensions, forKey: .dimensions)
    }
    try container.encode(isReadOnly, forKey: .isReadOnly)
    try container.encode(isWriteOnly, forKey: .isWriteOnly)
    try container.encode(isInactive, forKey: .isInactive)
    try container.encode(isGrabbed, forKey: .isGrabbed)
    try container.encode(isVolatile, forKey: .isVolatile)
    try container.encodeIfPresent(value, forKey: .value)
    try container.encodeIfPresent(range, forKey: .range)
    try container.encode(unit, forKey: .unit)
    try container.encode(sources, forKey: .sources)
    try container.encodeIfPresent(rampingTo, forKey: .rampingTo)
    try container.encodeIfPresent(problem, forKey: .problem)
  }
}

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
