package import Keys
import ZeroMQ

extension CameraBus {
  /// Makes a connection to a node that this user knows by name.
  ///
  /// `camctl nodes add` stores the node's endpoint and keys in the user's configuration.
  /// - Parameters:
  ///   - name: The name, as `camctl nodes list` shows it.
  ///   - configuration: Endpoints and timeouts. Its credentials are replaced by the stored ones.
  /// - Throws: `invalidArgument` for a name that is not known, and for files that other users may
  ///   read.
  public convenience init(
    node name: String, configuration: Configuration = Configuration()
  ) throws(CameraBusError) {
    let (control, credentials) = try Credentials.ofNode(named: name)
    var configuration = configuration
    configuration.credentials = credentials
    try self.init(control, configuration: configuration)
  }
}

extension Credentials {
  /// The control endpoint and the credentials of a node that the user knows by name.
  package static func ofNode(
    named name: String, in nodes: KnownNodes = KnownNodes()
  ) throws(CameraBusError) -> (control: String, credentials: Credentials) {
    try reading { () throws(KeyError) in
      let node = try nodes.node(name)
      return (node.control, Credentials(keys: try nodes.keys(for: node), node: node.key))
    }
  }

  /// The credentials of the node that the user knows at this endpoint; nil if there is none.
  package static func ofNode(
    at control: String, in nodes: KnownNodes = KnownNodes()
  ) throws(CameraBusError) -> Credentials? {
    try reading { () throws(KeyError) in
      guard let node = try nodes.all().first(where: { $0.control == control }) else { return nil }
      return Credentials(keys: try nodes.keys(for: node), node: node.key)
    }
  }

  /// The credentials of a node's owner: who may read the node's own secret key may do everything
  /// with it.
  ///
  /// - Parameter folder: The node's folder of keys.
  /// - Returns: Nil if there is no such folder, or if it is another user's.
  package static func ofOwner(_ folder: KeyFolder) -> Credentials? {
    guard let keys = try? folder.nodeKeys() else { return nil }
    return Credentials(keys: keys, node: keys.publicKey)
  }

  /// The same with the secret key of another certificate, which only its user may read.
  package func replacingKey(from file: String) throws(CameraBusError) -> Credentials {
    try Self.reading { () throws(KeyError) in
      Credentials(keys: try KeyFile(file).keys(), node: node)
    }
  }

  private static func reading<R>(
    _ body: () throws(KeyError) -> R
  ) throws(CameraBusError) -> R {
    do throws(KeyError) {
      return try body()
    } catch {
      throw CameraBusError(.invalidArgument, error.description, cause: error)
    }
  }
}
