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
  /// It does not let this program's key in.
  case unwilling
  /// It requires a key and this program has none, or the other way round.
  case otherMechanism
  /// It is no ROUTER, or does not speak ZeroMQ at all.
  case foreigner

  /// Whether it lets this program in neither now nor later.
  var isUnwilling: Bool { self == .unwilling || self == .otherMechanism }

  func after(_ event: MonitorEvent.Kind) -> Peer {
    switch event {
    case .connected: .greeting
    case .handshakeSucceeded: .router
    case .handshakeFailed(.refused): .unwilling
    case .handshakeFailed(let failure) where failure.isMismatch: .otherMechanism
    case .handshakeFailed(let failure): failure.isSilence ? .mute : .foreigner
    case .disconnected:
      switch self {
      // libzmq does not report every failed greeting by an event of its own.
      case .greeting, .foreigner: .foreigner
      case .mute, .unwilling, .otherMechanism: self
      case .absent, .router: .absent
      }
    case .closed: .absent
    default: self
    }
  }
}
