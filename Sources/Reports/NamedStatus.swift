package import CameraClient

/// A node's status in JSON, with the name that tells it from the others.
package struct NamedStatus: Encodable {
  private enum CodingKeys: CodingKey { case nodeName, error }

  package var name: String
  package var status: Result<NodeStatus, CameraBusError>

  package init(name: String, status: Result<NodeStatus, CameraBusError>) {
    (self.name, self.status) = (name, status)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .nodeName)
    switch status {
    case .success(let node): try node.encode(to: encoder)
    case .failure(let error):
      try container.encode(Problem(error), forKey: .error)
    }
  }
}
