public import CameraClient

/// How to reach a node of a rig: its endpoint, and the keys to show it.
public struct RigConnection: Hashable, Sendable {
  /// What the node is called in the rig.
  public let name: String
  /// Its control endpoint.
  public let control: String
  /// The cameras that belong to the rig, by the node's names; nil for all.
  public let cameras: Set<String>?
  /// What to show it: the first that fits. Without an element that is nil, a node without keys is
  /// refused.
  let credentials: [Credentials?]

  /// Finds the endpoint and the keys of a node.
  ///
  /// - Throws: `invalidArgument` for a node that this user does not know, and for a key that cannot
  ///   be read.
  public init(_ node: RigNode) throws(CameraBusError) {
    var credentials: Credentials?
    if node.node.contains(":") {
      control = node.node
      credentials = try Credentials.ofNode(at: node.node)
      guard node.key == nil || credentials != nil || node.node.hasPrefix("ipc://") else {
        throw CameraBusError(
          .invalidArgument,
          "the key of node \(node.name) needs the node's own key with it, which nobody has told: camctl nodes add NAME "
            + "--control \(node.node) --node-key KEY", field: "rig")
      }
    } else {
      (control, credentials) = try Credentials.ofNode(named: node.node)
    }
    if let key = node.key { credentials = try credentials?.replacingKey(from: key) }
    name = node.name
    cameras = node.cameras.map { Set($0.map(\.camera)) }
    self.credentials = [credentials]
  }

  /// - Parameter credentials: What to show it, one after the other until one fits.
  package init(
    name: String, control: String, credentials: [Credentials?], cameras: Set<String>? = nil
  ) {
    self.name = name
    self.control = control
    self.credentials = credentials.isEmpty ? [nil] : credentials
    self.cameras = cameras
  }
}

extension RigConnection {
  /// The same status with the cameras of the rig alone.
  func ofRig(_ status: NodeStatus) -> NodeStatus {
    guard let cameras else { return status }
    var status = status
    status.cameras.removeAll { !cameras.contains($0.name) }
    return status
  }
}

extension RigDescription {
  /// How to reach its nodes.
  ///
  /// - Throws: As ``RigConnection/init(_:)``, for the first node.
  public func connections() throws(CameraBusError) -> [RigConnection] {
    var connections: [RigConnection] = []
    for node in nodes { connections.append(try RigConnection(node)) }
    return connections
  }
}

extension RigConnection {
  /// How the node and its cameras of the rig are now.
  ///
  /// - Parameter configuration: Endpoints and timeouts of the connection, without credentials.
  /// - Throws: `unreachable`, `timedOut` and the errors of keys; `cancelled` when the task is.
  public func status(
    _ configuration: CameraBus.Configuration = .init()
  ) async throws(CameraBusError) -> NodeStatus {
    let link = RigLink(self, configuration, OwnWallClock())
    let result: Result<NodeStatus, CameraBusError>
    do throws(CameraBusError) {
      result = .success(try await link.status())
    } catch {
      result = .failure(error)
    }
    await link.close()
    return try result.get()
  }
}
