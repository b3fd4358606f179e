import CameraProtocol
import SwiftProtobuf

extension Camera {
  /// What the camera can do now. An event of the kind `capabilities` comes whenever that changes.
  public func capabilities() async throws(CameraBusError) -> Capabilities {
    let body = WireCapabilitiesRequest.with { $0.camera = name }
    guard case .capabilities(let reply) = try await bus.request(.capabilities(body), .reading)
    else { throw .unexpectedReply }
    return Capabilities(reply)
  }

  /// The calibration that the node is configured with.
  ///
  /// - Throws: `unsupported` if it has none.
  public func calibration() async throws(CameraBusError) -> Calibration {
    let body = WireCalibrationRequest.with { $0.camera = name }
    guard case .calibration(let reply) = try await bus.request(.calibration(body), .reading)
    else { throw .unexpectedReply }
    return Calibration(reply)
  }
}
