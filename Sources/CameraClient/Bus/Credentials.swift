import Keys
import OperatingSystem
import ZeroMQ

/// What a program shows to a node that requires keys: its own key, and the node's, so that no other
/// program can take the node's place.
///
/// All traffic with the node is then encrypted (CURVE, [RFC 26](https://rfc.zeromq.org/spec/26/)).
/// An endpoint over ipc needs none: the node sees there which user connects.
public struct Credentials: Hashable, Sendable {
  let keys: CurveKeyPair
  let node: CurvePublicKey

  /// Credentials from keys as text.
  ///
  /// - Parameters:
  ///   - secretKey: The program's secret key, 40 characters of Z85 text.
  ///   - nodeKey: The node's public key, 40 characters of Z85 text.
  /// - Throws: `invalidArgument`.
  public init(secretKey: String, nodeKey: String) throws(CameraBusError) {
    keys = try Self.read("secretKey") { () throws(ZeroMQError) in
      try CurveKeyPair(secretKey: CurveSecretKey(z85: secretKey))
    }
    node = try Self.read("nodeKey") { () throws(ZeroMQError) in
      try CurvePublicKey(z85: nodeKey)
    }
  }

  /// Credentials from certificates, as `camctl` and pyzmq's `zmq.auth` write them.
  ///
  /// - Parameters:
  ///   - keyFile: A certificate with the program's secret key, which only its user may read.
  ///   - nodeKeyFile: A certificate with the node's public key.
  /// - Throws: `invalidArgument` with the remedy, such as the `chmod` for a file that is too open.
  public init(keyFile: String, nodeKeyFile: String) throws(CameraBusError) {
    do throws(KeyError) {
      keys = try KeyFile(keyFile).keys()
      node = try KeyFile(nodeKeyFile).publicKey()
    } catch {
      throw CameraBusError(.invalidArgument, error.description, cause: error)
    }
  }

  /// The program's public key, which the node's owner authorizes.
  public var publicKey: String { keys.publicKey.z85 }

  init(keys: CurveKeyPair, node: CurvePublicKey) {
    self.keys = keys
    self.node = node
  }

  private static func read<R>(
    _ name: String, _ body: () throws(ZeroMQError) -> R
  ) throws(CameraBusError) -> R {
    do throws(ZeroMQError) {
      return try body()
    } catch {
      throw CameraBusError(.invalidArgument, "\(name): \(error.message)", field: name)
    }
  }
}
