package import CameraProtocol

extension MachineDevice {
  package init(_ wire: WireMachineDevice) {
    self.init(
      device: Device(wire.device),
      camera: wire.camera.isEmpty ? nil : wire.camera,
      authorization: Authorization(wire.authorization),
      error: wire.hasError ? Problem(wire.error) : nil,
      position: Position(wire.position),
      rotation: wire.hasRotation ? Int(wire.rotation) : nil,
      holders: wire.holders,
      formats: wire.formats.map(CameraFormat.init))
  }
}

extension MachineDevice.Authorization {
  fileprivate init(_ wire: WireAuthorization) {
    self =
      switch wire {
      case .authorized: .authorized
      case .denied: .denied
      case .restricted: .restricted
      case .unspecified, .UNRECOGNIZED: .unknown
      }
  }
}

extension MachineDevice.Position {
  fileprivate init?(_ wire: WirePosition) {
    switch wire {
    case .front: self = .front
    case .back: self = .back
    case .external: self = .external
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}
