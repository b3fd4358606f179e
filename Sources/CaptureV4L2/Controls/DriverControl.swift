import CVideo4Linux
import Capture
import OperatingSystem

/// A control as its driver describes it: its identifier, its public description, and the coding of
/// its value.
struct DriverControl {
  let identifier: UInt32
  var description: ControlDescription
  let coding: Coding
  /// The most bytes of a value. Real ones have less than a mebibyte.
  private static let largest = 16 << 20

  /// The coding of a value in a request.
  enum Coding: Hashable {
    /// In the request itself, as 32 or 64 bits. Bitmasks are unsigned.
    case number(isWide: Bool, isSigned: Bool)
    /// Zero-terminated text; the capacity includes the zero.
    case text(capacity: Int)
    case array(ArrayCoding, capacity: Int)
    /// A structure, which is passed on as bytes.
    case structure(byteCount: Int)
  }

  /// - Parameter name: The control's name, unique in its device.
  init(_ answer: v4l2_query_ext_ctrl, name: ControlID, menu: [ControlDescription.MenuItem]) {
    let answer = Self.asArray(answer)
    identifier = answer.id
    let kind = Self.kind(of: answer)
    coding = Self.coding(of: answer, kind)
    description = ControlDescription(
      id: name,
      name: text(in: answer.name),
      kind: kind,
      flags: Self.flags(of: answer),
      minimum: answer.minimum,
      maximum: answer.maximum,
      step: Int64(clamping: answer.step),
      defaultValue: answer.default_value,
      menu: menu,
      dimensions: Self.byteCount(of: answer) == nil ? [] : Self.dimensions(of: answer),
      elementSize: Int(answer.elem_size),
      standard: StandardControl(rawValue: answer.id)
    )
    description.problem = Self.problem(of: answer, kind)
  }

  private static func kind(of answer: v4l2_query_ext_ctrl) -> ControlDescription.Kind {
    let type = v4l2_ctrl_type(answer.type)
    guard answer.nr_of_dims == 0 else {
      return ArrayCoding(type: type, elementSize: Int(answer.elem_size)) == nil
        ? .compound : .array
    }
    return switch type {
    case V4L2_CTRL_TYPE_INTEGER: .integer
    case V4L2_CTRL_TYPE_BOOLEAN: .boolean
    case V4L2_CTRL_TYPE_MENU: .menu
    case V4L2_CTRL_TYPE_INTEGER_MENU: .integerMenu
    case V4L2_CTRL_TYPE_BUTTON: .button
    case V4L2_CTRL_TYPE_INTEGER64: .integer64
    case V4L2_CTRL_TYPE_STRING: .string
    case V4L2_CTRL_TYPE_BITMASK: .bitmask
    default: .compound
    }
  }

  /// The bytes of the value of a control without a number; nil if they cannot be.
  private static func byteCount(of answer: v4l2_query_ext_ctrl) -> Int? {
    // A dynamic array may have fewer elements now than its dimensions allow.
    let elements = dimensions(of: answer).reduce(1.0) { $0 * Double($1) }
    let byteCount = Double(answer.elem_size) * max(elements, Double(answer.elems))
    return byteCount <= Double(largest) ? Int(byteCount) : nil
  }

  /// Why the control can be neither read nor set; nil if its description makes sense.
  private static func problem(
    of answer: v4l2_query_ext_ctrl, _ kind: ControlDescription.Kind
  ) -> String? {
    let hasRange =
      switch kind {
      case .integer, .integer64, .array, .menu, .integerMenu, .string: true
      default: false
      }
    if hasRange, answer.minimum > answer.maximum {
      return "its driver says that it goes from \(answer.minimum) to \(answer.maximum)"
    }
    return byteCount(of: answer) == nil ? "its driver says that it has too many bytes" : nil
  }

  private static func coding(
    of answer: v4l2_query_ext_ctrl,
    _ kind: ControlDescription.Kind
  ) -> Coding {
    let byteCount = byteCount(of: answer) ?? 0
    let array = ArrayCoding(type: v4l2_ctrl_type(answer.type), elementSize: Int(answer.elem_size))
    switch (kind, array) {
    case (.string, _): return .text(capacity: byteCount)
    case (.array, let array?): return .array(array, capacity: byteCount)
    case (.compound, _), (.array, nil): return .structure(byteCount: byteCount)
    case (.integer64, _): return .number(isWide: true, isSigned: true)
    case (.bitmask, _): return .number(isWide: false, isSigned: false)
    default: return .number(isWide: false, isSigned: true)
    }
  }

  /// One rectangle (`V4L2_CTRL_TYPE_RECT` of Linux 6.14, `struct v4l2_rect`) as what it is in
  /// memory: an array of left, top, width and height.
  private static func asArray(_ answer: v4l2_query_ext_ctrl) -> v4l2_query_ext_ctrl {
    guard answer.type == 0x107, answer.nr_of_dims == 0, answer.elem_size == 16 else {
      return answer
    }
    var array = answer
    array.type = V4L2_CTRL_TYPE_INTEGER.rawValue
    (array.minimum, array.maximum) = (Int64(Int32.min), Int64(Int32.max))
    (array.nr_of_dims, array.dims.0, array.elems, array.elem_size) = (1, 4, 4, 4)
    return array
  }

  private static func flags(of answer: v4l2_query_ext_ctrl) -> ControlDescription.Flags {
    let meanings: [(Int32, ControlDescription.Flags)] = [
      (V4L2_CTRL_FLAG_READ_ONLY, .readOnly), (V4L2_CTRL_FLAG_WRITE_ONLY, .writeOnly),
      (V4L2_CTRL_FLAG_INACTIVE, .inactive), (V4L2_CTRL_FLAG_GRABBED, .grabbed),
      (V4L2_CTRL_FLAG_VOLATILE, .volatile), (V4L2_CTRL_FLAG_DISABLED, .disabled),
      (V4L2_CTRL_FLAG_DYNAMIC_ARRAY, .dynamicArray),
    ]
    return meanings.reduce(into: []) { flags, meaning in
      if answer.flags & meaning.0.bits != 0 { flags.insert(meaning.1) }
    }
  }

  private static func dimensions(of answer: v4l2_query_ext_ctrl) -> [Int] {
    let all = [answer.dims.0, answer.dims.1, answer.dims.2, answer.dims.3]
    return all.prefix(Int(answer.nr_of_dims)).map(Int.init)
  }
}
