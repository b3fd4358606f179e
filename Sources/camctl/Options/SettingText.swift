import CameraClient
import OperatingSystem

/// One `NAME=VALUE`, or a `NAME` alone for a button.
struct SettingText {
  let name: String
  private let text: String?

  init(_ argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    text = parts.count == 2 ? String(parts[1]) : nil
  }

  /// The value in the shape of the control's kind.
  func value(for control: Control) throws -> ControlValue {
    if control.kind == .button { return 1 }
    guard let text else { throw CommandFailure.usage("\(name) needs a value: write \(name)=VALUE") }
    guard let value = value(text, for: control) else {
      throw CommandFailure.usage("'\(text)' is no value of \(name): \(remedy(control))")
    }
    return value
  }

  /// A value of a file in the shape of the control's kind: a menu's item may be there by its name.
  static func value(_ value: ControlValue, for control: Control) throws -> ControlValue {
    guard case .string(let text) = value, control.kind != .string else { return value }
    return try SettingText("\(control.id)=\(text)").value(for: control)
  }

  private func value(_ text: String, for control: Control) -> ControlValue? {
    switch control.kind {
    case .integer, .integer64: return Int64(text).map(ControlValue.integer)
    case .number: return number(text, unit: control.unit).map(ControlValue.number)
    case .point: return point(text).map(ControlValue.point)
    case .bitmask: return number(text).map(ControlValue.integer)
    case .menu, .integerMenu: return item(text, of: control).map { .integer($0.index) }
    case .boolean: return boolean(text).map(ControlValue.boolean)
    case .string: return .string(text)
    case .array:
      let elements = text.split(separator: ",").map { Int64($0) }
      return elements.contains(nil) ? nil : .array(elements.compactMap(\.self))
    default: return nil
    }
  }

  private func number(_ text: String) -> Int64? {
    Int64(hexadecimalNumber: text) ?? Int64(text)
  }

  /// With its unit, or without it; a time also in milliseconds or microseconds.
  private func number(_ text: String, unit: String) -> Double? {
    let units: [(String, Double)] =
      switch unit {
      case "s": [("us", 1e6), ("µs", 1e6), ("ms", 1e3), ("s", 1)]
      case "": [("x", 1), ("%", 100)]
      default: [(unit, 1)]
      }
    for (name, perUnit) in units where text.lowercased().hasSuffix(name.lowercased()) {
      return Double(text.dropLast(name.count).trimmed).map { $0 / perUnit }.finite
    }
    return Double(text).finite
  }

  private func point(_ text: String) -> PointOfInterest? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { number(String($0), unit: "") }
    guard parts.count == 2, let x = parts[0], let y = parts[1] else { return nil }
    return PointOfInterest(x: x, y: y)
  }

  private func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "on", "yes": true
    case "0", "false", "off", "no": false
    default: nil
    }
  }

  private func item(_ text: String, of control: Control) -> Control.MenuItem? {
    // The items of an integer menu have numbers as names, so names are tried before indices.
    control.menu.first { $0.name.lowercased() == text.lowercased() }
      ?? control.menu.first { String($0.index) == text }
  }

  private func remedy(_ control: Control) -> String {
    switch control.kind {
    case .integer, .integer64: "write a whole number from \(control.minimum) to \(control.maximum)"
    case .number:
      "write a number from \(control.range?.minimum ?? 0) to \(control.range?.maximum ?? 0)"
        + (control.unit.isEmpty ? "" : " in \(control.unit)")
    case .point: "write two numbers from 0 to 1 with a comma between them, for x and y"
    case .bitmask: "write a number up to \(control.maximum), or 0x and hexadecimal digits"
    case .menu, .integerMenu: "choose one of \(control.menu.map(\.name).joined(separator: ", "))"
    case .boolean: "write true or false"
    case .array: "write numbers with commas between them"
    default: "camctl cannot set it"
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count)
  }
}

extension Double? {
  fileprivate var finite: Double? { flatMap { $0.isFinite ? $0 : nil } }
}
