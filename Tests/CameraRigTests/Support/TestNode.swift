import CameraClient
import CameraNode
import CameraRig
import Logging
import TestSupport

/// A node in this process with two synthetic cameras, which keeps its endpoints when it starts
/// again.
actor TestNode {
  nonisolated let name: String
  nonisolated let control: String
  private let configuration: NodeConfiguration
  private var node: Node?

  init(_ name: String, in folder: TemporaryFolder) throws {
    self.name = name
    var configuration = NodeConfiguration(name: name, library: "\(folder.path)/\(name)")
    // The machine may be busy with other tests.
    configuration.pressure = .off
    let sockets = "ipc://\(folder.path)/\(name)"
    control = "\(sockets)-control"
    configuration.control = control
    configuration.events = "\(sockets)-events"
    configuration.frames = "\(sockets)-frames"
    configuration.cameras = [
      try CameraConfiguration(argument: "left=synthetic:160x120@10"),
      try CameraConfiguration(argument: "right=synthetic:160x120@10"),
    ]
    self.configuration = configuration
  }

  nonisolated var connection: RigConnection {
    RigConnection(name: name, control: control, credentials: [nil])
  }

  func start() async throws {
    node = try await Node.start(configuration, log: Logger(label: name))
  }

  func stop() async {
    await node?.stop()
    node = nil
  }

  /// Sets a control so often, each time to another value, so that as many events follow.
  nonisolated func change(_ camera: String = "left", times count: Int, from first: Int = 0)
    async throws
  {
    try await withCameraBus(control) { bus in
      let camera = try bus.camera(camera)
      for number in first..<first + count {
        try await camera.set(
          [("brightness", .integer(Int64(1 + number % 200)))], findsEffect: false)
      }
    }
  }

  /// Runs `body` with nodes that have started.
  static func run(
    _ count: Int, _ body: @Sendable ([TestNode]) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let nodes = try (0..<count).map { try TestNode("n\($0)", in: folder) }
    try await attempt {
      for node in nodes { try await node.start() }
      try await body(nodes)
    } finally: {
      for node in nodes { await node.stop() }
    }
  }
}
