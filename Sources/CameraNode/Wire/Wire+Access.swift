import CameraProtocol
import Keys

extension WireRole {
  init(_ role: Role) {
    self =
      switch role {
      case .viewer: .viewer
      case .operator: .operator
      case .controller: .controller
      }
  }
}
