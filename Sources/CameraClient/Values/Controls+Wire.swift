package import CameraProtocol
import FoundationEssentials
import SwiftProtobuf

extension Control {
  package init(_ wire: WireControl) {
    self.init(
      id: wire.id,
      name: wire.name,
      kind: Kind(wire.kind),
      minimum: wire.minimum,
      maximum: wire.maximum,
      step: wire.step,
      defaultValue: wire.defaultValue,
      menu: wire.menu.map { MenuItem(index: $0.index, name: $0.name) },
      dimensions: wire.dimensions.map(Int.init),
      isReadOnly: wire.readOnly,
      isWriteOnly: wire.writeOnly,
      isInactive: wire.inactive,
      isGrabbed: wire.grabbed,
      isVolatile: wire.volatile,
      value: wire.hasValue ? ControlValue(wire.value) : nil,
      range: wire.hasRange
        ? Range(
          minimum: wire.range.minimum, maximum: wire.range.maximum, step: wire.range.step,
          defaultValue: wire.range.defaultValue) : nil,
      unit: wire.unit,
      sources: wire.sources,
      rampingTo: wire.hasRampingTo && wire.rampingTo.isFinite ? wire.rampingTo : nil,
      problem: wire.problem.isEmpty ? nil : wire.problem
    )
  }
}

extension ControlValue {
  /// Nil for a value of a shape that this client does not know.
  package init?(_ wire: WireControlValue) {
    switch wire.value {
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .point(let point): self = .point(PointOfInterest(x: point.x, y: point.y))
    case .boolean(let value): self = .boolean(value)
    case .string(let value): self = .string(value)
    case .array(let array): self = .array(array.elements)
    case .bytes(let data): self = .bytes(Array(data))
    case nil: return nil
    }
  }

  package var wire: WireControlValue {
    .with { wire in
      wire.value =
        switch self {
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .point(let point):
          .point(
            .with {
              $0.x = point.x
              $0.y = point.y
            })
        case .boolean(let value): .boolean(value)
        case .string(let value): .string(value)
        case .array(let elements): .array(.with { $0.elements = elements })
        case .bytes(let bytes): .bytes(Data(bytes))
        }
    }
  }
}
