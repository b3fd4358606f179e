import CameraProtocol
import Capture
import EventLoop

extension DeviceService {
  /// The device that a client names as the input of a camera, for which the request then has a
  /// claim until `Camera.endClaim`: no other camera gets it.
  /// - Parameter name: Its identity or location, as `devices` lists it for this client.
  /// - Returns: Nil if it is the present one.
  /// - Throws: `deviceNotFound`; the device's problem; `conflict` if another camera has it.
  @ControlLoop func claimInput(
    _ name: String, for camera: Camera, _ call: Call
  ) async throws(WireError) -> SessionInput? {
    let own = camera.ownInput.device.identification
    let isOwn = name == own.identity
    let found = isOwn ? nil : try await find(name, call.access)
    let device = found?.description ?? own
    if let user = cameras.user(of: device, besides: camera) {
      throw WireError(
        .conflict, "\(device.location) is the input of the camera \(user): choose another",
        field: RequestField.Configure.input)
    }
    guard !camera.sessionStatus.device.isSameDevice(as: device) else { return nil }
    guard !camera.isAdopted else {
      throw WireError(
        .conflict,
        "\(camera.name) was adopted with its device: switch a camera of the configuration",
        field: RequestField.Configure.input)
    }
    camera.claim(device, for: call.id)
    guard let found, !own.isSameDevice(as: device) else { return camera.ownInput }
    return SessionInput(found.device)
  }

  @ControlLoop private func find(
    _ name: String, _ access: Access
  ) async throws(WireError) -> (description: DeviceDescription, device: any CameraDevice) {
    let (found, device) = await loop.run { [finder] in
      let found = finder.look().first {
        $0.description.identity == name || $0.description.location == name
      }
      return (found, found.map { finder.device($0.description.identity) })
    }
    guard let found, let device, isListed(found.description, for: access) else {
      let simulated = cameras.all(for: access).first {
        $0.isSimulated
          && [$0.sessionStatus.device.identity, $0.sessionStatus.device.location]
            .contains(name)
      }
      if let simulated {
        throw WireError(
          .conflict,
          "'\(name)' is the simulated input of the camera \(simulated.name): choose a device of the machine",
          field: RequestField.Configure.input)
      }
      throw .noDevice(name)
    }
    if var problem = found.problem {
      problem.part = .input
      throw WireError(problem, in: RequestField.Configure.path)
    }
    return (found.description, device)
  }
}

extension WireError {
  fileprivate static func noDevice(_ name: String) -> WireError {
    WireError(
      .deviceNotFound, "there is no device '\(name)' for this camera: choose one that is listed",
      field: RequestField.Configure.input)
  }
}
