import CameraClient
import OperatingSystem
import Words

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
    case .number: return ValueText.number(text, unit: control.unit).map(ControlValue.number)
    case .point:
      return ValueText.point(text).map { .point(PointOfInterest(x: $0.x, y: $0.y)) }
    case .bitmask: return ValueText.wholeNumber(text).map(ControlValue.integer)
    case .menu, .integerMenu: return item(text, of: control).map { .integer($0.index) }
    case .boolean: return ValueText.boolean(text).map(ControlValue.boolean)
    case .string: return .string(text)
    case .array: return ValueText.elements(text).map(ControlValue.array)
    default: return nil
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
