import CameraClient

/// Which of a node's credentials are shown to it: the first, and the next ones while the node turns
/// out to be another than they are for. A pure value.
struct CredentialChoice {
  private let connection: RigConnection
  private var index = 0

  init(_ connection: RigConnection) { self.connection = connection }

  /// A connection with the credentials that are next.
  func bus(_ configuration: CameraBus.Configuration) throws(CameraBusError) -> CameraBus {
    var configuration = configuration
    configuration.credentials = connection.credentials[index]
    return try CameraBus(connection.control, configuration: configuration)
  }

  /// Goes on to the next credentials, if the error says that these are for another node.
  /// - Returns: Whether there are some.
  mutating func goOn(after error: CameraBusError) -> Bool {
    guard error.code == .wrongNode, index + 1 < connection.credentials.count else { return false }
    index += 1
    return true
  }

  /// Begins with the first ones again.
  mutating func startOver() { index = 0 }
}
