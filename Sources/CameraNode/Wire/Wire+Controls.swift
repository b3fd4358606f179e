import SwiftProtobuf
import CameraProtocol
import Capture
import FoundationEssentials

extension WireControl {
  init(_ state: ControlState) {
    let control = state.control
    self.init()
    id = control.id.rawValue
    name = control.name
    kind = WireControlKind(control.kind)
    minimum = control.minimum
    maximum = control.maximum
    step = control.step
    defaultValue = control.defaultValue
    menu = control.menu.map { item in
      .with {
        $0.index = item.index
        $0.name = item.name
      }
    }
    dimensions = control.dimensions.map { UInt32(clamping: $0) }
    readOnly = control.flags.contains(.readOnly)
    writeOnly = control.flags.contains(.writeOnly)
    inactive = control.flags.contains(.inactive)
    grabbed = control.flags.contains(.grabbed)
    volatile = control.flags.contains(.volatile)
    if let value = state.value { self.value = WireControlValue(value) }
  }
}

extension WireControlKind {
  init(_ kind: ControlDescription.Kind) {
    switch kind {
    case .integer: self = .integer
    case .integer64: self = .integer64
    case .boolean: self = .boolean
    case .menu: self = .menu
    case .integerMenu: self = .integerMenu
    case .bitmask: self = .bitmask
    case .string: self = .string
    case .button: self = .button
    case .array: self = .array
    case .compound: self = .compound
    }
  }
}

extension WireControlValue {
  init(_ value: ControlValue) {
    self.init()
    switch value {
    case .integer(let integer): self.integer = integer
    case .boolean(let boolean): self.boolean = boolean
    case .string(let string): self.string = string
    case .array(let elements): array = .with { $0.elements = elements }
    case .bytes(let bytes): self.bytes = Data(bytes)
    case .press: break
    }
  }
}

extension CaptureSession.Setting {
  init(_ setting: WireControlsSetRequest.Setting) {
    let value: ControlValue =
      switch setting.value.value {
      case .integer(let integer): .integer(integer)
      case .boolean(let boolean): .boolean(boolean)
      case .string(let string): .string(string)
      case .array(let array): .array(array.elements)
      case .bytes(let bytes): .bytes(Array(bytes))
      case nil: .press
      }
    self.init(ControlID(rawValue: setting.id), to: value)
  }
}
