import ZeroMQ

/// Who is at the other end of the control connection, as far as its events tell.
enum Peer {
  case absent
  /// Somebody accepted the connection and has not said yet that it speaks ZeroMQ.
  case greeting
  case router
  /// Somebody who is no router, or does not speak ZeroMQ at all.
  case foreigner

  /// Whether somebody is there who is no node.
  var isForeign: Bool {
    switch self {
    case .greeting, .foreigner: true
    case .absent, .router: false
    }
  }

  func after(_ event: MonitorEvent.Kind) -> Peer {
    switch event {
    case .connected: .greeting
    case .handshakeSucceeded: .router
    case .handshakeFailed: .foreigner
    // libzmq does not tell every failed greeting by an event of its own.
    case .disconnected: isForeign ? .foreigner : .absent
    case .closed: .absent
    default: self
    }
  }
}
