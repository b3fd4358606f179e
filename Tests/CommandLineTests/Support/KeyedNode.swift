import CameraClient
import CameraNode
import Keys
import Logging
import TestSupport
import Testing
import ZeroMQ

/// A node with keys, with the cameras `left` and `right`.
struct KeyedNode: Sendable {
  let endpoints: NodeEndpoints
  let keys: KeyFolder
  let nodeKey: CurvePublicKey
  let folder: TemporaryFolder

  static func run(
    limitedPorts: ClosedRange<UInt16>? = nil,
    _ body: @Sendable (KeyedNode) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    var configuration = NodeConfiguration(name: "test", library: "\(folder.path)/library")
    // The machine may be busy with other tests.
    configuration.pressure = .off
    configuration.control = "tcp://127.0.0.1:*"
    configuration.events = "tcp://127.0.0.1:*"
    configuration.frames = "tcp://127.0.0.1:*"
    configuration.ipcFolder = "\(folder.path)/ipc"
    configuration.keys = "\(folder.path)/keys"
    configuration.limitedPorts = limitedPorts
    configuration.cameras = [
      try CameraConfiguration(argument: "left=synthetic:320x240@30,format=MJPG"),
      try CameraConfiguration(argument: "right=synthetic:320x240@30,format=MJPG"),
    ]
    let keys = KeyFolder("\(folder.path)/keys")
    let own = try keys.open()
    let node = try await Node.start(configuration, log: Logger(label: "test"))
    try await attempt {
      try await body(
        KeyedNode(
          endpoints: node.endpoints, keys: keys, nodeKey: own.publicKey, folder: folder))
    } finally: {
      await node.stop()
    }
  }

  /// The credentials of the node's owner.
  var owner: Credentials {
    get throws { try #require(Credentials.ofOwner(keys)) }
  }

  func credentials(_ pair: CurveKeyPair) throws -> Credentials {
    try Credentials(secretKey: pair.secretKey.z85, nodeKey: nodeKey.z85)
  }

  /// Authorizes a key, or a new one, and waits until it counts.
  func authorize(
    _ name: String, _ role: Role, _ pair: CurveKeyPair? = nil, cameras: Set<String>? = nil,
    expiry: Int64? = nil
  ) async throws -> CurveKeyPair {
    let pair = try pair ?? CurveKeyPair.generate()
    let key = try AuthorizedKey(
      name: name, key: pair.publicKey, role: role, cameras: cameras, expiry: expiry)
    try await changing {
      try keys.authorize(key)
    } until: {
      $0.authorized.contains(name)
    }
    return pair
  }

  func revoke(_ name: String) async throws {
    try await changing {
      try keys.revoke([name])
    } until: {
      $0.revoked.contains(name)
    }
  }

  /// Changes the keys, and waits for the event that reports it.
  func changing(
    _ change: @Sendable () throws -> Void, until isDone: @Sendable (KeysEvent) -> Bool
  ) async throws {
    try await withBus(owner) { bus in
      var events = bus.events().makeAsyncIterator()
      _ = try await events.next()
      try change()
      while let event = try await events.next() {
        if case .event(let event) = event, case .keys(let keys) = event.body, isDone(keys) {
          return
        }
      }
    }
  }

  /// Runs `body` with a connection that shows these credentials.
  func withBus<R: Sendable>(
    _ credentials: Credentials?, control: String? = nil,
    _ body: @Sendable (CameraBus) async throws -> R
  ) async throws -> R {
    try await withCameraBus(
      control ?? endpoints.control, configuration: .init(credentials: credentials), body)
  }
}
