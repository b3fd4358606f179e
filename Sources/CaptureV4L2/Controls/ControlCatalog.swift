import Capture
import CVideo4Linux
import EventLoop
import Glibc
import OperatingSystem

/// The controls of an open camera by name, and those of its flash, if that has a node of its own.
///
/// Names and identifiers stay the same while the device is open. Ranges and flags may change, so
/// they are read each time.
struct ControlCatalog {
  /// The name of each identifier.
  let names: [UInt32: ControlID]
  /// In the drivers' order.
  private let identifiers: [UInt32]
  private let node: any RequestNode
  private let led: (any RequestNode)?
  /// The controls of the flash's own node.
  private let ledIdentifiers: Set<UInt32>

  /// - Parameter led: The node of the camera's flash. Its flash controls take the place of the
  ///   camera's; its others are left out.
  init(of node: any RequestNode, led: (any RequestNode)? = nil) {
    (self.node, self.led) = (node, led)
    let flash = led.map { Self.controls(of: $0).filter { Self.isOfFlash($0.identifier) } } ?? []
    let ledIdentifiers = Set(flash.map(\.identifier))
    let own = Self.controls(of: node).filter { !ledIdentifiers.contains($0.identifier) }
    var names: [UInt32: ControlID] = [:]
    var taken = ControlMeanings.names
    for (identifier, driverName) in own + flash {
      let name = Self.unique(driverName, among: taken)
      taken.insert(name)
      names[identifier] = name
    }
    self.names = names
    self.ledIdentifiers = ledIdentifiers
    identifiers = (own + flash).map(\.identifier)
  }

  private static func controls(
    of node: any RequestNode
  ) -> [(identifier: UInt32, name: ControlID)] {
    var controls: [(identifier: UInt32, name: ControlID)] = []
    let next = V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND.bits
    var question = v4l2_query_ext_ctrl()
    question.id = next
    let list = DriverList()
    var last: UInt32 = 0
    // The numbers ascend, so a driver that repeats one would go on for ever.
    while list.obstacle(at: UInt32(controls.count), most: DriverList.controls) == nil,
      node.attempt(.queryControl, &question), question.id > last
    {
      last = question.id
      if question.type != V4L2_CTRL_TYPE_CTRL_CLASS.rawValue {
        let name = ControlID(driverName: text(in: question.name))
        let hasName = name.rawValue.contains(where: \.isLetter)
        controls.append((question.id, hasName ? name : ControlID(identifier: question.id)))
      }
      question.id |= next
    }
    return controls
  }

  /// Whether it is one of `V4L2_CTRL_CLASS_FLASH`.
  private static func isOfFlash(_ identifier: UInt32) -> Bool {
    identifier & 0x0fff_0000 == V4L2_CTRL_CLASS_FLASH.bits
  }

  /// Whether the flash's own node has flash controls.
  var hasLED: Bool { !ledIdentifiers.isEmpty }

  /// `V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME`.
  private static let forceKeyFrame: UInt32 = 0x0099_09e5

  /// Presses the button for a key picture of the camera's video, if there is one.
  func requestKeyPicture() {
    guard let name = names[Self.forceKeyFrame], let control = try? control(named: name) else {
      return
    }
    try? transfer(of: control).write(.press, to: control)
  }

  /// Reads and writes a control's value, at the node that has it.
  func transfer(of control: DriverControl) -> ControlTransfer {
    ControlTransfer(node: node(of: control.identifier))
  }

  private func node(of identifier: UInt32) -> any RequestNode {
    led.flatMap { ledIdentifiers.contains(identifier) ? $0 : nil } ?? node
  }

  /// All controls with their current ranges and flags. One that the driver does not describe now is
  /// listed with its problem.
  /// - Throws: The device is gone.
  func controls() throws(SystemError) -> [ControlDescription] {
    let list = DriverList()
    return try identifiers.map { (identifier) throws(SystemError) in
      do throws(SystemError) {
        guard list.isInTime else {
          return undescribed(identifier, because: DriverList.slowness)
        }
        return try control(identifier).description
      } catch {
        guard ![ENODEV, ENXIO].contains(error.errno) else { throw error }
        return undescribed(
          identifier, because: "its driver does not describe it now: \(error.reason)")
      }
    }
  }

  private func undescribed(_ identifier: UInt32, because problem: String) -> ControlDescription {
    let name = names[identifier] ?? ControlID(identifier: identifier)
    var control = ControlDescription(id: name, name: name.rawValue, kind: .compound)
    control.problem = problem
    return control
  }

  /// - Throws: `noSuchControl`, with a similar name.
  func control(named name: ControlID) throws(CaptureError) -> DriverControl {
    guard let identifier = names.first(where: { $0.value == name })?.key else {
      throw .noSuchControl(name, among: identifiers.compactMap { names[$0] })
    }
    return try onDevice(at: node(of: identifier).path) { () throws(SystemError) in
      try control(identifier)
    }
  }

  private func control(_ identifier: UInt32) throws(SystemError) -> DriverControl {
    let node = node(of: identifier)
    var question = v4l2_query_ext_ctrl()
    question.id = identifier
    try node.perform(.queryControl, &question)
    let name = names[identifier] ?? ControlID(identifier: identifier)
    var control = DriverControl(question, name: name, menu: menu(of: question, on: node))
    if control.description.standard == .regionOfInterest {
      control.description.regions = ControlTransfer(node: node).regions(of: control)
    }
    return control
  }

  /// The items of a menu. Some indices between its minimum and maximum may have none.
  private func menu(
    of control: v4l2_query_ext_ctrl, on node: any RequestNode
  ) -> [ControlDescription.MenuItem] {
    let isInteger = control.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue
    guard isInteger || control.type == V4L2_CTRL_TYPE_MENU.rawValue, control.minimum >= 0,
      control.maximum >= control.minimum
    else { return [] }
    let list = DriverList()
    var items: [ControlDescription.MenuItem] = []
    for index in control.minimum...control.maximum {
      let place = UInt32(clamping: index - control.minimum)
      guard list.obstacle(at: place, most: DriverList.menuItems) == nil else { break }
      var item = v4l2_querymenu()
      item.id = control.id
      item.index = UInt32(truncatingIfNeeded: index)
      guard node.attempt(.queryMenu, &item) else { continue }
      let name = isInteger ? "\(item.value)" : text(in: item.name)
      items.append(ControlDescription.MenuItem(index: index, name: name))
    }
    return items
  }

  /// The name itself, or the name with the first free number.
  static func unique(_ name: ControlID, among taken: Set<ControlID>) -> ControlID {
    guard taken.contains(name) else { return name }
    let numbered = (2...).lazy.map { ControlID(rawValue: "\(name)_\($0)") }
    return numbered.first { !taken.contains($0) } ?? name
  }
}

extension ControlID {
  /// Makes a name as V4L2's tools do: lowercase, with one `_` for each run of other characters.
  /// "Exposure Time, Absolute" becomes `exposure_time_absolute`.
  init(driverName: String) {
    var name = ""
    var needsSeparator = false
    for byte in driverName.utf8 {
      let letter = Character(UnicodeScalar(byte))
      if byte < 0x80, letter.isLetter || letter.isNumber {
        if needsSeparator, !name.isEmpty { name.append("_") }
        needsSeparator = false
        name.append(contentsOf: letter.lowercased())
      } else {
        needsSeparator = true
      }
    }
    self.init(rawValue: name)
  }

  /// Makes a name of the driver's number, for a control whose name has no letter of ASCII.
  init(identifier: UInt32) {
    self.init(rawValue: "control_\(identifier.hexadecimalNumber(digitCount: 8))")
  }
}
