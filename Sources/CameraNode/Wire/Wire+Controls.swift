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
    if let scale = control.scale {
      range = .with {
        $0.minimum = scale.range.lowerBound
        $0.maximum = scale.range.upperBound
        $0.step = scale.step
        $0.defaultValue = scale.defaultValue
      }
      unit = scale.unit
    }
    sources = control.sources.map(\.rawValue)
    if let value = state.value { self.value = WireControlValue(value) }
    if let target = state.rampingTo { rampingTo = target }
    problem = state.problem ?? ""
  }
}

extension WireControlValue {
  init(_ value: ControlValue) {
    self.init()
    switch value {
    case .integer(let integer): self.integer = integer
    case .number(let number): self.number = number
    case .point(let point):
      self.point = .with {
        $0.x = point.x
        $0.y = point.y
      }
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
      case .number(let number): .number(number)
      case .point(let point): .point(PointOfInterest(x: point.x, y: point.y))
      case .boolean(let boolean): .boolean(boolean)
      case .string(let string): .string(string)
      case .array(let array): .array(array.elements)
      case .bytes(let bytes): .bytes(Array(bytes))
      case nil: .press
      }
    self.init(ControlID(rawValue: setting.id), to: value)
  }
}

extension WireControlEffect {
  init(_ effect: ControlEffect) {
    self.init()
    switch effect {
    case .frame(let frame, let basis):
      effectiveFrame = frame.sequence
      timestamp = WireTimestamp(frame.timestamp, frame.wallClock)
      self.basis = Basis(basis)
    case .notSettled(let frames):
      notSettled = true
      self.frames = UInt32(clamping: frames)
    }
  }
}

extension WireControlsSetRequest.Setting {
  init(_ setting: CaptureSession.Setting) {
    self.init()
    id = setting.control.rawValue
    value = WireControlValue(setting.value)
  }
}
