package import CameraProtocol
import ZeroMQ

extension CameraBusError {
  package init(_ wire: WireError) {
    let code = Code(wire.code)
    self.init(
      code,
      wire.message.isEmpty ? "the node says \(code) and no more" : wire.message,
      field: wire.field.isEmpty ? nil : wire.field,
      reason: Reason(wire.reason),
      isRetryable: wire.retryable
    )
    camera = wire.camera.isEmpty ? nil : wire.camera
    keptFiles = Int(wire.keptFiles)
    neededRole = wire.neededRole == .unspecified ? nil : KeyRole(wire.neededRole)
  }

  init(_ error: ZeroMQError) {
    switch error.code {
    case .malformedEndpoint, .unsupportedTransport:
      self.init(.invalidArgument, error.message, cause: error)
    case .socketClosed, .contextClosed:
      self = .closed
      cause = error
    default: self.init(.internal, error.message, cause: error)
    }
  }

  /// The error of this request.
  func of(_ requestID: Identifier) -> CameraBusError {
    var error = self
    error.requestID = requestID
    return error
  }

  static var endlessList: CameraBusError {
    CameraBusError(
      unexpectedReply.code, "the node's list of assets never ends: update or replace the node")
  }

  static var endlessMessage: CameraBusError {
    CameraBusError(
      unexpectedReply.code,
      "the node sends a message that never ends: update or replace the node")
  }

  static var closed: CameraBusError {
    CameraBusError(.closed, "the connection was closed: make a new CameraBus")
  }

  static var cancelled: CameraBusError {
    CameraBusError(.cancelled, "the request was cancelled")
  }

  static func unreachable(
    _ endpoint: Endpoint, _ peer: Peer, _ credentials: Credentials?
  ) -> CameraBusError {
    switch (peer, credentials) {
    case (.unwilling, _): return .notAuthorized(endpoint, credentials)
    case (.otherMechanism, nil):
      return CameraBusError(
        .keyRequired,
        "the node at \(endpoint) requires a key: ask its owner for an invitation (camctl keys invite NAME); the owner "
          + "makes one too, with the node's --library or --keys if they are not the default ones, or uses the node over ipc"
      )
    case (.otherMechanism, _?):
      return CameraBusError(
        .wrongNode,
        "the node at \(endpoint) has no keys, so it is not known to be the right one: ask its owner to start it with --keys"
      )
    case (.foreigner, _?):
      return CameraBusError(
        .wrongNode,
        "what answers at \(endpoint) is no control endpoint of a node with the key that this program knows: "
          + "if the port is right and the node was set up anew, ask its owner for another invitation"
      )
    default: return .unreachable(endpoint, peer)
    }
  }

  /// The node refused the program's key in the handshake, or over ipc its user.
  static func notAuthorized(_ endpoint: Endpoint, _ credentials: Credentials?) -> CameraBusError {
    guard let credentials else {
      return CameraBusError(
        .notAuthorized, "the node at \(endpoint) does not let this user in: ask its owner")
    }
    return CameraBusError(
      .notAuthorized,
      "the node at \(endpoint) does not know the key of this program, or no more: let its owner run "
        + "camctl keys authorize NAME \(credentials.publicKey.hasPrefix("-") ? "-- " : "")'\(credentials.publicKey)' (with --role, if it shall do less than all)"
    )
  }

  private static func unreachable(_ endpoint: Endpoint, _ peer: Peer) -> CameraBusError {
    let message =
      switch peer {
      case .foreigner:
        "what answers at \(endpoint) is no camera node's control endpoint: "
          + "the first line that camerad prints names it as `control=…`"
      case .greeting, .mute:
        "a program listens at \(endpoint) and does not answer: it is a node that hangs or was stopped (kill -CONT "
          + "continues it), or no camera node at all"
      case .absent where endpoint.isForbidden:
        "this user may not use the socket \(endpoint): ask as its owner, as a member of the node's group, or over tcp"
      case .absent, .router, .unwilling, .otherMechanism:
        "no node answers at \(endpoint): is camerad running, and is this its control endpoint?"
      }
    return CameraBusError(.unreachable, message, isRetryable: true)
  }

  /// The node answers, but nothing comes from where it publishes.
  static func unreachable(publications endpoint: Endpoint) -> CameraBusError {
    CameraBusError(
      .unreachable,
      "the node answers, but nothing answers at \(endpoint), where it says that it publishes: let this machine "
        + "reach that port too, or name another in the CameraBus configuration",
      isRetryable: true
    )
  }

  /// - Parameter isRefused: Whether the node does not let this program in any more.
  static func outcomeUnknown(_ endpoint: Endpoint, isRefused: Bool) -> CameraBusError {
    CameraBusError(
      .outcomeUnknown,
      "the connection to \(endpoint) broke after the request was sent and "
        + (isRefused ? "the node lets this program in no more" : "did not come back")
        + ": it is not known whether "
        + "the node did it, so look into the library before you ask again"
    )
  }

  static func timedOut(after timeout: Duration, mayBeDone: Bool) -> CameraBusError {
    CameraBusError(
      .timedOut,
      "the node did not answer within \(timeout)"
        + (mayBeDone
          ? " and may do what was asked all the same: look for it before you ask again, with more time"
          : ": ask again, or give it more time"),
      isRetryable: !mayBeDone
    )
  }

  static func protocolViolation(_ what: String) -> CameraBusError {
    CameraBusError(
      .protocolViolation,
      "\(what): check that the endpoint is a CameraBus node's of protocol version 1"
    )
  }

  static func hashMismatch(_ what: String) -> CameraBusError {
    CameraBusError(
      .hashMismatch,
      "the bytes of \(what) are not those the node has: ask again",
      isRetryable: true
    )
  }

  /// A stream of replies that ended without an outcome: its reader was cancelled, or the node sent
  /// too many.
  static var endedEarly: CameraBusError {
    Task.isCancelled ? .cancelled : .protocolViolation("the node sent more replies than it may")
  }

  static var unexpectedReply: CameraBusError {
    .protocolViolation("the node's answer does not fit the request")
  }
}
