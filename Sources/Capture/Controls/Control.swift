/// The name of a control: as V4L2 tools write the driver's own ("exposure_time_absolute"), or with
/// a meaning that is the same for all cameras ("exposure.duration", see ``ControlMeaning``).
package struct ControlID: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package var description: String { rawValue }

  package static let zoom = ControlID(rawValue: "zoom")
  static let exposureDuration = ControlID(rawValue: "exposure.duration")
  static let exposureBias = ControlID(rawValue: "exposure.bias")
  /// Stands for the node among the sources of a zoom that it makes.
  static let crop = ControlID(rawValue: "crop")
}

/// The value of a control.
package enum ControlValue: Codable, Hashable, Sendable {
  /// The value of integers, 64-bit integers and bitmasks, and the item's index in menus and integer
  /// menus.
  case integer(Int64)
  /// The value of a control with a meaning, in its unit.
  case number(Double)
  case point(PointOfInterest)
  case boolean(Bool)
  case string(String)
  /// The elements of an array control, in row-major order.
  case array([Int64])
  /// Other compound payloads in the driver's own form.
  case bytes([UInt8])
  /// Presses a button, which has no value.
  case press
}

/// What a control is and which values it takes.
package struct ControlDescription: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case integer, integer64, boolean, menu, integerMenu, bitmask, string, button, array, compound
    /// A number in a unit, or a point of the picture, which only controls with a meaning have.
    case number, point
  }

  /// The values of a `number`.
  package struct Scale: Hashable, Sendable {
    package var range: ClosedRange<Double>
    /// The distance between two values that the device can tell apart; 0 if they are uneven.
    package var step: Double
    package var defaultValue: Double
    /// "s", "K", "EV"; empty for a factor or a share.
    package var unit: String

    package init(
      range: ClosedRange<Double>, step: Double, defaultValue: Double, unit: String = ""
    ) {
      self.range = range
      self.step = step
      self.defaultValue = defaultValue
      self.unit = unit
    }
  }

  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let readOnly = Flags(rawValue: 1)
    package static let writeOnly = Flags(rawValue: 2)
    /// An automatic function of the device sets it: a value written now has no effect.
    package static let inactive = Flags(rawValue: 4)
    /// Cannot be changed now, because the device streams or another program holds it.
    package static let grabbed = Flags(rawValue: 8)
    /// Changes without being set.
    package static let volatile = Flags(rawValue: 16)
    package static let disabled = Flags(rawValue: 32)
    /// Arrays with fewer elements than its dimensions say are valid too.
    package static let dynamicArray = Flags(rawValue: 64)
  }

  /// One choice of a menu control.
  package struct MenuItem: Hashable, Sendable {
    package var index: Int64
    package var name: String
    package init(index: Int64, name: String) {
      self.index = index
      self.name = name
    }
  }

  package var id: ControlID
  /// The driver's name for people ("Exposure Time, Absolute").
  package var name: String
  package var kind: Kind
  package var flags: Flags
  package var minimum: Int64
  package var maximum: Int64
  package var step: Int64
  package var defaultValue: Int64
  package var menu: [MenuItem]
  /// The dimensions of an array control.
  package var dimensions: [Int]
  /// Bytes of one element or of the string.
  package var elementSize: Int
  /// Which of V4L2's controls it is; nil for one of the driver's own.
  package var standard: StandardControl?
  /// The values of a `number`.
  package var scale: Scale?
  /// The values of an array that is a region of the sensor; nil if they are not known.
  package var regions: ControlRegion.Bounds?
  /// The driver's controls that a control with a meaning sets; empty for one of these.
  package var sources: [ControlID] = []
  /// Why it can be neither read nor set, for a person to read; nil if it can.
  package var problem: String?

  package init(
    id: ControlID,
    name: String,
    kind: Kind,
    flags: Flags = [],
    minimum: Int64 = 0,
    maximum: Int64 = 0,
    step: Int64 = 1,
    defaultValue: Int64 = 0,
    menu: [MenuItem] = [],
    dimensions: [Int] = [],
    elementSize: Int = 0,
    standard: StandardControl? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.flags = flags
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
    self.menu = menu
    self.dimensions = dimensions
    self.elementSize = elementSize
    self.standard = standard
  }
}

/// A control with its present value. The value is nil for buttons, for controls that can only be
/// written, and for those that cannot be read now.
package struct ControlState: Hashable, Sendable {
  package var control: ControlDescription
  package var value: ControlValue?
  /// Where a zoom that moves will come to rest; nil while it is at rest.
  package var rampingTo: Double?
  /// Why it cannot be read or set now, for a person to read; nil if it can.
  package var problem: String?

  package init(control: ControlDescription, value: ControlValue?) {
    self.control = control
    self.value = value
    problem = control.problem
  }
}
