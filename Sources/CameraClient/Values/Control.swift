/// Something that can be set on a camera, with its present value.
public struct Control: Hashable, Sendable, Encodable, Identifiable {
  /// What sort of value a control has.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Numbers from ``Control/minimum`` to ``Control/maximum``.
    case integer, integer64
    /// True or false.
    case boolean
    /// One of the items of ``Control/menu``; an integer menu's items are numbers.
    case menu, integerMenu
    /// Bits, all of which are in ``Control/maximum``.
    case bitmask
    /// Text of ``Control/minimum`` to ``Control/maximum`` bytes.
    case string
    /// Something that happens when it is set, whatever the value.
    case button
    /// Many numbers.
    case array
    /// Something of the driver's own shape.
    case compound
    /// A newer node says something that this client does not know.
    case unknown
  }

  /// One choice of a menu.
  public struct MenuItem: Hashable, Sendable, Codable {
    /// The value that stands for it.
    public var index: Int64
    /// What the driver calls it.
    public var name: String
  }

  /// The name to get and set it by, as V4L2 tools write it: "exposure_time_absolute".
  public var id: String
  /// The driver's words for it.
  public var name: String
  /// What sort of value it has.
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
  /// It cannot be set.
  public var isReadOnly: Bool
  /// It has no value that could be read.
  public var isWriteOnly: Bool
  /// An automatic of the device sets it at present.
  public var isInactive: Bool
  /// It cannot be changed at present.
  public var isGrabbed: Bool
  /// It changes by itself.
  public var isVolatile: Bool
  /// The present value; nil for buttons and what cannot be read.
  public var value: ControlValue?
}
