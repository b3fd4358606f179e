import CameraClient
import CameraNode
import CameraRig
import Logging
import TestSupport

@testable import CameraWeb

/// A gateway in this process, before nodes with synthetic cameras.
struct TestGateway: Sendable {
  let gateway: WebGateway
  let port: Int
  /// The control endpoints of the nodes, which are called `n0`, `n1` and so on.
  let controls: [String]

  /// - Parameters:
  ///   - count: How many nodes there are.
  ///   - cameras: The cameras of each node.
  ///   - change: Changes the configuration of the gateway.
  static func run(
    nodes count: Int = 1, cameras: [String] = ["cam=synthetic:320x240@30,format=MJPG"],
    _ change: (inout WebGateway.Configuration) throws -> Void = { _ in },
    _ body: @Sendable (TestGateway) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let configurations = try (0..<count).map { index in
      try configuration("n\(index)", cameras, in: folder)
    }
    var gateway = WebGateway.Configuration(
      nodes: configurations.map { node in
        RigConnection(name: node.name, control: node.control, credentials: [nil])
      })
    gateway.port = 0
    try change(&gateway)
    let gatewayConfiguration = gateway
    var nodes: [Node] = []
    for configuration in configurations {
      nodes.append(try await Node.start(configuration, log: Logger(label: configuration.name)))
    }
    let started = nodes
    try await attempt {
      try await serve(gatewayConfiguration, configurations.map(\.control), body)
    } finally: {
      for node in started { await node.stop() }
    }
  }

  /// A gateway whose nodes the caller starts, or nobody.
  static func serve(
    _ configuration: WebGateway.Configuration, _ controls: [String],
    _ body: @Sendable (TestGateway) async throws -> Void
  ) async throws {
    let gateway = WebGateway(configuration)
    let (ports, found) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { found.finish() }
        try await gateway.run { found.yield($0) }
      }
      defer { group.cancelAll() }
      var first: Int?
      for await port in ports {
        first = port
        break
      }
      guard let first else { return try await group.waitForAll() }
      try await body(TestGateway(gateway: gateway, port: first, controls: controls))
    }
  }

  static func configuration(
    _ name: String, _ cameras: [String], in folder: TemporaryFolder
  ) throws -> NodeConfiguration {
    var configuration = NodeConfiguration(name: name, library: "\(folder.path)/\(name)")
    // The machine may be busy with other tests.
    configuration.pressure = .off
    let sockets = "ipc://\(folder.path)/\(name)"
    configuration.control = "\(sockets)-control"
    configuration.events = "\(sockets)-events"
    configuration.frames = "\(sockets)-frames"
    configuration.cameras = try cameras.map { try CameraConfiguration(argument: $0) }
    return configuration
  }

  func connect(receiveBuffer: Int32? = nil) throws -> WebConnection {
    try WebConnection(port: port, receiveBuffer: receiveBuffer)
  }

  /// Makes a request on a connection of its own.
  /// - Parameter headers: Beside Host, which they may have too.
  func ask(
    _ method: String = "GET", _ target: String, _ headers: [String: String] = [:],
    body: String? = nil
  ) async throws -> WebConnection.Reply {
    let connection = try connect()
    try connection.send(request(method, target, headers, body: body))
    return try await connection.reply(hasBody: method != "HEAD")
  }

  func request(
    _ method: String = "GET", _ target: String, _ headers: [String: String] = [:],
    body: String? = nil
  ) -> String {
    var all = ["Host": "127.0.0.1:\(port)"].merging(headers) { $1 }
    if let body { all["Content-Length"] = "\(body.utf8.count)" }
    let lines = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
    return "\(method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n\(body ?? "")"
  }

  /// Asks a node until its status is as wanted.
  func wait(
    node: Int = 0, until isDone: @Sendable (NodeStatus) -> Bool
  ) async throws {
    try await withCameraBus(controls[node]) { bus in
      while !isDone(try await bus.status()) {}
    }
  }
}

extension NodeStatus {
  /// The subscribers of a stream of the first camera.
  func subscribers(_ stream: String) -> Int {
    cameras.first?.streams.first { $0.name == stream }?.subscribers ?? 0
  }
}
