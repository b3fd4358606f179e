import CVideo4Linux
import Capture
import EventLoop
import OperatingSystem

/// The controls of an open device by name.
///
/// Names and identifiers stay the same while the device is open. Ranges and flags may change, so
/// they are read each time.
struct ControlCatalog {
  /// The name of each identifier.
  let names: [UInt32: ControlID]
  /// In the driver's order.
  private let identifiers: [UInt32]
  private let node: DeviceNode

  init(of node: DeviceNode) {
    self.node = node
    var names: [UInt32: ControlID] = [:]
    var identifiers: [UInt32] = []
    var taken = ControlMeanings.names
    let next = V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND.bits
    var question = v4l2_query_ext_ctrl()
    question.id = next
    while node.attempt(.queryControl, &question) {
      if question.type != V4L2_CTRL_TYPE_CTRL_CLASS.rawValue {
        let name = Self.unique(ControlID(driverName: text(in: question.name)), among: taken)
        taken.insert(name)
        names[question.id] = name
        identifiers.append(question.id)
      }
      question.id |= next
    }
    self.names = names
    self.identifiers = identifiers
  }

  /// All controls with their current ranges and flags.
  func controls() throws(SystemError) -> [DriverControl] {
    var controls: [DriverControl] = []
    for identifier in identifiers { controls.append(try control(identifier)) }
    return controls
  }

  /// - Throws: `noSuchControl`, with a similar name.
  func control(named name: ControlID) throws(CaptureError) -> DriverControl {
    guard let identifier = names.first(where: { $0.value == name })?.key else {
      throw .noSuchControl(name, among: identifiers.compactMap { names[$0] })
    }
    return try onDevice(at: node.path) { () throws(SystemError) in try control(identifier) }
  }

  private func control(_ identifier: UInt32) throws(SystemError) -> DriverControl {
    var question = v4l2_query_ext_ctrl()
    question.id = identifier
    try node.perform(.queryControl, &question)
    let name = names[identifier] ?? ControlID(driverName: text(in: question.name))
    var control = DriverControl(question, name: name, menu: menu(of: question))
    if control.description.standard == .regionOfInterest {
      control.description.regions = ControlTransfer(node: node).regions(of: control)
    }
    return control
  }

  /// The items of a menu. Some indices between its minimum and maximum may have none.
  private func menu(of control: v4l2_query_ext_ctrl) -> [ControlDescription.MenuItem] {
    let isInteger = control.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue
    guard isInteger || control.type == V4L2_CTRL_TYPE_MENU.rawValue, control.minimum >= 0,
      control.maximum >= control.minimum
    else { return [] }
    return (control.minimum...control.maximum).compactMap { index in
      var item = v4l2_querymenu()
      item.id = control.id
      item.index = UInt32(truncatingIfNeeded: index)
      guard node.attempt(.queryMenu, &item) else { return nil }
      return ControlDescription.MenuItem(
        index: index,
        name: isInteger ? "\(item.value)" : text(in: item.name)
      )
    }
  }

  /// The name itself, or the name with the first free number.
  static func unique(_ name: ControlID, among taken: Set<ControlID>) -> ControlID {
    guard taken.contains(name) else { return name }
    let numbered = (2...).lazy.map { ControlID(rawValue: "\(name)_\($0)") }
    return numbered.first { !taken.contains($0) } ?? name
  }
}
