package import CameraClient
import Capture
import CaptureV4L2
import Imaging

/// The cameras of this machine, as a node on it would list them. Links no library of codecs.
package enum LocalDevices {
  package static func all() -> [MachineDevice] {
    V4L2Discovery().survey().map { found in
      MachineDevice(
        device: Device(
          identity: found.description.identity, model: found.description.model,
          location: found.description.location, driver: found.description.driver),
        authorization: MachineDevice.Authorization(found.authorization),
        error: found.problem.map {
          Problem(code: CameraBusError.Code(rawValue: $0.code.description), message: $0.message)
        },
        position: found.mounting.position.map(MachineDevice.Position.init),
        rotation: found.mounting.rotation, holders: found.holders,
        formats: found.formats.map { format in
          CameraClient.CameraFormat(
            pixelFormat: format.pixelFormat.name,
            size: FrameSize(width: format.size.width, height: format.size.height),
            frameRates: format.frameRates.map(\.framesPerSecond), summary: format.summary,
            problem: format.problem)
        })
    }
  }
}

extension MachineDevice.Authorization {
  fileprivate init(_ authorization: DeviceAuthorization) {
    self =
      switch authorization {
      case .authorized: .authorized
      case .denied: .denied
      case .restricted: .restricted
      }
  }
}

extension MachineDevice.Position {
  fileprivate init(_ position: DevicePosition) {
    self =
      switch position {
      case .front: .front
      case .back: .back
      case .external: .external
      }
  }
}
