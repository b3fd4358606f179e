import OperatingSystem

extension ControlDescription {
  /// Checks a value before a driver gets it, and converts it to the control's type.
  ///
  /// A number between two steps is rounded to the nearer one, as drivers do. Menus also take the
  /// name of an item, and booleans also take 0 and 1. Buttons take any value, because pressing has
  /// none.
  /// - Throws: `controlNotWritable` if it cannot be set now; `invalidControlValue`, naming the
  ///   values that it takes.
  package func checked(_ value: ControlValue) throws(CaptureError) -> ControlValue {
    try checkWritable()
    switch (kind, value) {
    case (.button, _), (.boolean, .boolean): return value
    case (.boolean, .integer(let number)) where number == 0 || number == 1:
      return .boolean(number == 1)
    case (.integer, .integer(let number)), (.integer64, .integer(let number)):
      return .integer(try stepped(number))
    case (.menu, .integer(let index)) where menu.contains { $0.index == index },
      (.integerMenu, .integer(let index)) where menu.contains { $0.index == index }:
      return value
    case (.menu, .string(let name)), (.integerMenu, .string(let name)):
      guard let item = menu.first(where: { $0.name == name }) else { throw refusal(of: value) }
      return .integer(item.index)
    case (.number, .integer(let number)): return .number(try scaled(Double(number)))
    case (.number, .number(let number)): return .number(try scaled(number))
    case (.point, .point(let point)) where point.isInPicture: return value
    case (.point, .array(let elements)) where elements.count == 2:
      return try checked(.point(PointOfInterest(x: Double(elements[0]), y: Double(elements[1]))))
    case (.bitmask, .integer(let bits)) where bits >= 0 && bits & ~maximum == 0: return value
    case (.string, .string(let text)) where takesLength(text.utf8.count): return value
    case (.array, .array(let elements)) where takesCount(elements.count):
      var checked: [Int64] = []
      for element in elements { checked.append(try stepped(element)) }
      return .array(checked)
    case (.compound, .bytes(let bytes)) where bytes.count == elementSize: return value
    default: throw refusal(of: value)
    }
  }

  private func checkWritable() throws(CaptureError) {
    let obstacle: String
    if let problem {
      obstacle = "cannot be set: \(problem)"
    } else if flags.contains(.disabled) {
      obstacle = "is switched off by the driver"
    } else if flags.contains(.readOnly) {
      obstacle = "can only be read"
    } else if flags.contains(.grabbed) {
      obstacle = "cannot be changed now: stop the stream, or the program that holds it, first"
    } else if flags.contains(.inactive), id == .exposureBias || standard == .autoExposureBias {
      obstacle = "has no effect while the exposure is locked: set exposure.mode=auto first"
    } else if flags.contains(.inactive) {
      let other = standard.flatMap(ControlMeaning.overridingAutomatic(of:))
      obstacle =
        "is set by the camera's own automatic now: switch that automatic off first"
        + (other.map { ", or set \($0.id), which does" } ?? "")
    } else {
      return
    }
    throw CaptureError(.controlNotWritable, "\(id) \(obstacle)", part: .control(id))
  }

  /// The nearest step to a number in range.
  private func stepped(_ number: Int64) throws(CaptureError) -> Int64 {
    guard minimum <= number, number <= maximum else { throw refusal(of: .integer(number)) }
    guard step > 1 else { return number }
    // Unsigned, because the range may be all of Int64.
    let offset = UInt64(bitPattern: number &- minimum)
    let remainder = offset % UInt64(step)
    let below = number &- Int64(remainder)
    let (above, overflow) = below.addingReportingOverflow(step)
    let isNearerAbove = remainder >= UInt64(step) - remainder
    return isNearerAbove && !overflow && above <= maximum ? above : below
  }

  private func scaled(_ number: Double) throws(CaptureError) -> Double {
    guard let scale, scale.range.contains(number) else { throw refusal(of: .number(number)) }
    return number
  }

  private func takesLength(_ length: Int) -> Bool {
    let length = Int64(length)
    return minimum <= length && length <= maximum && (length &- minimum) % max(step, 1) == 0
  }

  private func takesCount(_ count: Int) -> Bool {
    flags.contains(.dynamicArray) ? count <= elementCount : count == elementCount
  }

  private var elementCount: Int { dimensions.reduce(1, *) }

  private func refusal(of value: ControlValue) -> CaptureError {
    CaptureError(
      .invalidControlValue,
      "\(id) takes \(domain), not \(value.summary)",
      part: .control(id)
    )
  }

  /// The values that the control takes, in words.
  private var domain: String {
    switch kind {
    case .integer, .integer64: "a whole number \(range)"
    case .number: "a number \(scale?.summary ?? "")"
    case .point: "two numbers from 0 to 1, for x and y"
    case .boolean: "true or false"
    case .menu, .integerMenu: "one of \(menu.summary)"
    case .bitmask: "the bits of \(maximum.hexadecimalNumber())"
    case .string:
      minimum == maximum
        ? "a text of \(minimum) bytes" : "a text of \(minimum) to \(maximum) bytes"
    case .button: "no value"
    case .array:
      (flags.contains(.dynamicArray) ? "up to " : "") + "\(elementCount) numbers"
        + (dimensions.count > 1 ? " (\(dimensions.map(String.init).joined(separator: " × ")))" : "")
        + " each \(range)"
    case .compound: "\(elementSize) bytes"
    }
  }

  private var range: String {
    "from \(minimum) to \(maximum)" + (step > 1 ? " in steps of \(step)" : "")
  }
}

extension [ControlDescription.MenuItem] {
  fileprivate var summary: String {
    let shown = prefix(8).map { "\($0.index) (\($0.name))" }.joined(separator: ", ")
    return count > 8 ? "\(shown) and \(count - 8) more" : shown
  }
}

extension ControlDescription.Scale {
  fileprivate var summary: String {
    let unit = unit.isEmpty ? "" : " \(unit)"
    return "from \(range.lowerBound)\(unit) to \(range.upperBound)\(unit)"
  }
}

extension ControlValue {
  fileprivate var summary: String {
    switch self {
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .point(let point): "\(point.x),\(point.y)"
    case .boolean(let isOn): "\(isOn)"
    case .string(let text): "\"\(text.prefix(40))\""
    case .array(let elements): "\(elements.count) numbers"
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .press: "nothing"
    }
  }
}
