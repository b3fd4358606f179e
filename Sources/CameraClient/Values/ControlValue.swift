import OperatingSystem

/// A control's value, in the shape of its kind.
///
/// As JSON it is a number, true or false, a text, an array of numbers, for a point
/// `{"x": 0.5, "y": 0.5}`, or, for bytes, `{"hex": "…"}`. More cases may come, so a switch needs
/// an `@unknown default`.
@nonexhaustive
public enum ControlValue: Hashable, Sendable {
  /// A number, bits, or the index of a menu's item.
  case integer(Int64)
  /// A number in the unit of a control with a meaning.
  case number(Double)
  /// A point of the camera's picture.
  case point(PointOfInterest)
  /// True or false.
  case boolean(Bool)
  /// Text.
  case string(String)
  /// An array's elements, row by row.
  case array([Int64])
  /// Bytes in the driver's own shape.
  case bytes([UInt8])
}

extension ControlValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  /// A number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number in the control's unit.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension ControlValue: CustomStringConvertible {
  /// The value as people write it; bytes as hexadecimal digits.
  public var description: String {
    switch self {
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .point(let point): "\(point)"
    case .boolean(let value): String(value)
    case .string(let value): value
    case .array(let elements): elements.map(String.init).joined(separator: ",")
    case .bytes(let bytes): bytes.hexadecimal
    }
  }
}

extension ControlValue: Codable {
  private enum CodingKeys: String, CodingKey { case hex }

  /// Reads the JSON shape above.
  public init(from decoder: any Decoder) throws {
    if let point = try? PointOfInterest(from: decoder) {
      self = .point(point)
      return
    }
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      let text = try container.decode(String.self, forKey: .hex)
      guard let bytes = [UInt8](hexadecimal: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .hex, in: container, debugDescription: "bytes are pairs of hexadecimal digits")
      }
      self = .bytes(bytes)
      return
    }
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else {
      self = .array(try container.decode([Int64].self))
    }
  }

  /// Writes the JSON shape above.
  public func encode(to encoder: any Encoder) throws {
    if case .bytes(let bytes) = self {
      var container = encoder.container(keyedBy: CodingKeys.self)
      return try container.encode(bytes.hexadecimal, forKey: .hex)
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .point(let point): try container.encode(point)
    case .bytes: break
    }
  }
}
