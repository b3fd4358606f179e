import CameraProtocol
import Capture

extension WireMachineDevice {
  /// - Parameter camera: The node's camera that uses it.
  @ControlLoop init(_ found: FoundDevice, of camera: Camera?) {
    self.init()
    device = WireDevice(found.description)
    self.camera = camera?.name ?? ""
    let mounting = camera?.options.mounting.filled(from: found.mounting) ?? found.mounting
    authorization = WireAuthorization(found.authorization)
    if let problem = found.problem { error = WireError(problem) }
    if let position = mounting.position { self.position = WirePosition(position) }
    if let degrees = mounting.rotation { rotation = UInt32(degrees) }
    holders = found.holders
    formats = found.formats.map(WireFormat.init)
  }
}
