import CameraProtocol
import SwiftProtobuf

extension WireCameraStatus {
  static func camera(_ name: String, _ readiness: WireReadiness) -> WireCameraStatus {
    .with {
      $0.name = name
      $0.state = .running
      $0.readiness = readiness
    }
  }
}
