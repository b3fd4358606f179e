import CameraProtocol

/// Finds a node's endpoints: those that the user chose, and the node's own word for the others.
struct EndpointLookup: Hashable, Sendable {
  /// Requests and replies.
  let control: Endpoint
  /// For all endpoints over tcp.
  let credentials: Credentials?
  private let chosenEvents: Endpoint?
  private let chosenFrames: Endpoint?

  init(
    control: String,
    _ configuration: CameraBus.Configuration = .init()
  ) throws(CameraBusError) {
    self.control = try Endpoint(control)
    credentials = configuration.credentials
    chosenEvents = try configuration.events.map { (text) throws(CameraBusError) in
      try Endpoint(text)
    }
    chosenFrames = try configuration.frames.map { (text) throws(CameraBusError) in
      try Endpoint(text)
    }
  }

  /// The kinds of publications, each with an endpoint.
  enum Publications: Sendable {
    case events, frames
  }

  /// The endpoint to subscribe at.
  func endpoint(
    of publications: Publications,
    _ status: WireStatusReply
  ) throws(CameraBusError) -> Endpoint {
    let (chosen, published) =
      switch publications {
      case .events: (chosenEvents, [status.eventsIpcEndpoint, status.eventsEndpoint])
      case .frames: (chosenFrames, [status.framesIpcEndpoint, status.framesEndpoint])
      }
    if let chosen { return chosen }
    let isNear = control.isIPC && !published[0].isEmpty
    return try self.published(published[isNear ? 0 : 1])
  }

  private func published(_ text: String) throws(CameraBusError) -> Endpoint {
    do {
      return try Endpoint(text).reached(like: control)
    } catch {
      throw .protocolViolation("the node says that it publishes at '\(text)'")
    }
  }
}
