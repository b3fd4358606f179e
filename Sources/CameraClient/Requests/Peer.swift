import ZeroMQ

/// The program at the other end of the control connection, as far as the socket's events tell.
enum Peer {
  case absent
  /// It accepted the connection and has not greeted in ZeroMQ's protocol yet.
  case greeting
  /// It accepted the connection and did not greet in time. A stopped node is like that, because the
  /// kernel accepts connections for it.
  case mute
  case router
  /// It is no ROUTER, or does not speak ZeroMQ at all.
  case foreigner

  func after(_ event: MonitorEvent.Kind) -> Peer {
    switch event {
    case .connected: .greeting
    case .handshakeSucceeded: .router
    case .handshakeFailed(let failure): failure.isSilence ? .mute : .foreigner
    case .disconnected:
      switch self {
      // libzmq does not report every failed greeting by an event of its own.
      case .greeting, .foreigner: .foreigner
      case .mute: .mute
      case .absent, .router: .absent
      }
    case .closed: .absent
    default: self
    }
  }
}
