public import CameraClient

/// Whether all cameras of a rig can take a picture now, and what is in the way.
public struct RigReadiness: Hashable, Sendable, Codable {
  /// A node or a camera that is in the way.
  public struct Obstacle: Hashable, Sendable, Codable, CustomStringConvertible {
    /// What the node is called in the rig.
    public var node: String
    /// What the camera is called in the rig; nil where the node itself is in the way.
    public var camera: String?
    /// How the camera is; nil if it is not there.
    public var readiness: Readiness?
    /// Why the node does not answer, or has no such camera.
    public var problem: Problem?

    /// "north: notReadyWaitingForCapture", or the problem's message.
    public var description: String {
      "\(camera ?? node): \(problem?.message ?? readiness?.rawValue ?? "not known")"
    }
  }

  /// What is in the way, in the order of the rig; empty when it is ready.
  public var obstacles: [Obstacle]

  /// Whether nothing is in the way.
  public var isReady: Bool { obstacles.isEmpty }
}

extension RigReadiness {
  /// Judges how a rig is.
  ///
  /// - Parameters:
  ///   - nodes: How its nodes are. One that is not there is not judged.
  ///   - description: The rig.
  public init(_ nodes: [RigNodeStatus], of description: RigDescription) {
    let nodes = Dictionary(nodes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = description.cameraNames(
      nodes.mapValues { $0.status?.cameras.map(\.name) ?? [] })
    obstacles = description.nodes.flatMap { node -> [Obstacle] in
      guard let status = nodes[node.name] else { return [] }
      if let problem = status.problem { return [Obstacle(node: node.name, problem: problem)] }
      let found = status.status?.cameras ?? []
      let wanted = node.cameras?.map(\.camera) ?? found.map(\.name)
      if wanted.isEmpty {
        return [Obstacle(node: node.name, problem: Problem(.hasNoCamera(node.name)))]
      }
      return wanted.compactMap { camera in
        let name = names[node.name]?[camera] ?? camera
        guard let readiness = found.first(where: { $0.name == camera })?.readiness else {
          let error = CameraBusError(
            .noSuchCamera, "the node \(node.name) has no camera \(camera) now: plug it in")
          return Obstacle(node: node.name, camera: name, problem: Problem(error))
        }
        guard readiness != .ready else { return nil }
        return Obstacle(node: node.name, camera: name, readiness: readiness)
      }
    }
  }
}

extension CameraBusError {
  static func hasNoCamera(_ node: String) -> CameraBusError {
    CameraBusError(.noSuchCamera, "the node \(node) has no camera now: plug one in")
  }
}

extension Rig {
  /// Whether all cameras could take a picture now, and what is in the way.
  public var readiness: RigReadiness {
    get async { RigReadiness(await status(), of: description) }
  }
}
