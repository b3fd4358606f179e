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
