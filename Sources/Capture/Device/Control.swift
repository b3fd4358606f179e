/// The name of a control, as V4L2 tools write it: "brightness", "exposure_time_absolute".
package struct ControlID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package var description: String { rawValue }
}

/// A control's value, in the shape of its type.
package enum ControlValue: Hashable, Sendable {
  /// Integer, 64-bit integer, menu (the item's index), integer menu (the item's index) and bitmask.
  case integer(Int64)
  case boolean(Bool)
  case string(String)
  /// The elements of an array control, in row-major order.
  case array([Int64])
  /// Other compound payloads as the driver has them.
  case bytes([UInt8])
}

/// What a control is and may be set to.
package struct ControlDescription: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case integer, integer64, boolean, menu, integerMenu, bitmask, string, button, array, compound
  }

  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let readOnly = Flags(rawValue: 1)
    package static let writeOnly = Flags(rawValue: 2)
    /// Set by an automatic of the device: a value written now has no effect.
    package static let inactive = Flags(rawValue: 4)
    /// Cannot be changed now (while streaming, or held by another).
    package static let grabbed = Flags(rawValue: 8)
    /// Changes by itself.
    package static let volatile = Flags(rawValue: 16)
    package static let disabled = Flags(rawValue: 32)
    /// An array of fewer elements than its dimensions say is a value too.
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
  /// The driver's words ("Exposure Time, Absolute").
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
  /// Bytes an element or string takes.
  package var elementSize: Int

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
    elementSize: Int = 0
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
  }
}

/// A control with its present value; nil for buttons, what can only be written, and what the device does not tell.
package struct ControlState: Hashable, Sendable {
  package var control: ControlDescription
  package var value: ControlValue?

  package init(control: ControlDescription, value: ControlValue?) {
    self.control = control
    self.value = value
  }
}
