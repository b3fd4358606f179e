import CameraProtocol
import Capture
import EventLoop

extension DeviceService {
  /// The device that a client names as the input of a camera, for which the request then has a
  /// claim: no other camera gets it.
  /// - Parameter name: its identity or location, as `devices` lists it for this client.
  /// - Returns: nil if it is the present one.
  /// - Throws: `deviceNotFound`; the device's problem; `conflict` if another camera has it.
  func claimInput(
    _ name: String, for camera: Camera, _ call: Call
  ) async throws(WireError) -> SessionInput? {
    let own = camera.ownInput.device.identification
    let found = name == own.identity ? nil : try await device(name, for: camera, call.access)
    let device = found ?? own
    if let user = cameras.all.first(where: { $0 !== camera && $0.uses(device) }) {
      throw WireError(
        .conflict, "\(device.location) is the input of the camera \(user.name): choose another",
        field: "configure.input")
    }
    guard !camera.sessionStatus.device.isSameDevice(as: device) else { return nil }
    camera.claims[call.id] = device
    guard let found, !own.isSameDevice(as: found) else { return camera.ownInput }
    return SessionInput(finder.device(found.identity))
  }

  private func device(
    _ name: String, for camera: Camera, _ access: Access
  ) async throws(WireError) -> DeviceDescription {
    // A key for some cameras is not told of the devices that are not theirs.
    let present = access.cameras == nil ? await loop.run { [finder] in finder.look() } : []
    let device = present.first {
      $0.description.identity == name || $0.description.location == name
    }
    if var problem = device?.problem {
      problem.field = "configure.input"
      throw WireError(problem)
    }
    if let device { return device.description }
    throw WireError(
      .deviceNotFound, "there is no device '\(name)' for this camera: choose one that is listed",
      field: "configure.input")
  }
}
