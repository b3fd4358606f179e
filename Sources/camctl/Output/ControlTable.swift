import CameraClient
import OperatingSystem
import Words

/// Controls in rows.
enum ControlTable {
  /// Prints the controls with a meaning, and which of the driver's controls they stand for.
  static func print(meanings controls: [Control]) {
    var table = Table("CONTROL", "RANGE", "DEFAULT", "UNIT", "SOURCES")
    for control in controls {
      table.add(
        control.id, control.rangeWords, control.defaultWords, control.unit,
        control.sources.joined(separator: ", "))
    }
    table.print()
  }

  /// One `NAME=VALUE` a line.
  static func printValues(_ controls: [Control], _ options: BusOptions) {
    for control in controls {
      options.json ? JSONLine.print(control) : StandardOutput.write(line: control.assignment)
    }
  }

  static func print(_ controls: [Control]) {
    var table = Table("CONTROL", "VALUE", "RANGE", "DEFAULT", "KIND", "FLAGS")
    for control in controls {
      table.add(
        control.id,
        control.valueWords,
        control.rangeWords,
        control.defaultWords,
        control.kind.words,
        control.flags
      )
    }
    table.print()
  }
}

extension Control {
  /// The value; a menu's item by its name.
  var valueWords: String {
    guard let value else { return "" }
    if case .integer(let index) = value, let name = itemName(index) { return name }
    if case .number(let number) = value {
      return number.words(to: 6) + (unit.isEmpty ? "" : " \(unit)")
    }
    if case .point(let point) = value { return "\(point.x.words(to: 4)),\(point.y.words(to: 4))" }
    return value.description
  }

  /// Whether it stands for no other control: one of the driver's, or a zoom that the node makes.
  var standsAlone: Bool { sources.isEmpty || sources == ["crop"] }

  /// "brightness=128"; a button has no value, so its name stands alone.
  var assignment: String { kind == .button ? id : "\(id)=\(valueWords)" }

  fileprivate var defaultWords: String {
    switch kind {
    case .integer, .integer64, .bitmask: String(defaultValue)
    case .menu, .integerMenu: itemName(defaultValue) ?? String(defaultValue)
    case .boolean: String(defaultValue != 0)
    case .number: range.map { $0.defaultValue.words(to: 4) } ?? ""
    case .point: defaultSetting?.description ?? ""
    default: ""
    }
  }

  fileprivate var rangeWords: String {
    switch kind {
    case .integer, .integer64:
      "\(minimum)...\(maximum)" + (step > 1 ? " by \(step)" : "")
    case .number:
      range.map { "\($0.minimum.words(to: 4))...\($0.maximum.words(to: 4))" } ?? ""
    case .point: "0,0...1,1"
    case .bitmask: maximum.hexadecimalNumber()
    case .menu, .integerMenu: menu.map(\.name).joined(separator: ", ")
    case .string: "\(minimum)...\(maximum) bytes"
    case .array: dimensions.map(String.init).joined(separator: "x")
    default: ""
    }
  }

  fileprivate var flags: String {
    let flags = [
      (isReadOnly, "read-only"), (isWriteOnly, "write-only"), (isInactive, "inactive"),
      (isGrabbed, "grabbed"), (isVolatile, "volatile"),
    ]
    let problem = problem.map { "not usable now: \($0)" }
    return (flags.filter(\.0).map(\.1) + [problem].compactMap(\.self)).joined(separator: ", ")
  }

  private func itemName(_ index: Int64) -> String? {
    menu.first { $0.index == index }?.name
  }
}
