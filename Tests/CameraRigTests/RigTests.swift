import CameraClient
import CameraNode
import Keys
import Logging
import TestSupport
import Testing
import ZeroMQ

@testable import CameraRig

/// A rig with nodes of this process.
@Suite(.timeLimit(.minutes(5)))
struct RigTests {
  // Long enough for the nodes that are there on a busy machine.
  private static let configuration = CameraBus.Configuration(
    connectTimeout: .seconds(10), requestTimeout: .seconds(600))

  private func withRig<R>(
    _ description: RigDescription, _ body: (Rig) async throws -> R
  ) async throws -> R {
    let rig = try Rig(description, configuration: Self.configuration)
    return try await attempt {
      try await body(rig)
    } finally: {
      await rig.close()
    }
  }

  /// Takes a photo with a node's cameras, after which they are ready.
  private func rouse(_ node: TestNode) async throws {
    try await withCameraBus(node.control) { bus in
      for camera in ["left", "right"] { _ = try await bus.camera(camera).capture() }
    }
  }

  // MARK: Credentials

  @Test func `A node is shown its next credentials while it is another than they are for`()
    async throws
  {
    let folder = try TemporaryFolder()
    var configuration = NodeConfiguration(name: "plain", library: "\(folder.path)/library")
    configuration.pressure = .off
    configuration.control = "tcp://127.0.0.1:*"
    configuration.events = "tcp://127.0.0.1:*"
    configuration.frames = "tcp://127.0.0.1:*"
    configuration.cameras = [try CameraConfiguration(argument: "cam=synthetic:160x120@10")]
    let node = try await Node.start(configuration, log: Logger(label: "plain"))
    try await attempt {
      let wrong = try (0..<2).map { _ in
        try Credentials(
          secretKey: CurveKeyPair.generate().secretKey.z85,
          nodeKey: CurveKeyPair.generate().publicKey.z85)
      }
      let connection = RigConnection(
        name: "plain", control: node.endpoints.control, credentials: wrong + [nil])
      let timeouts = CameraBus.Configuration(connectTimeout: .seconds(60))
      #expect(try await connection.status(timeouts).name == "plain")
      // Several at the same time leave none out.
      let link = RigLink(connection, timeouts, OwnWallClock())
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<4 { group.addTask { try await link.status().name } }
        for try await name in group { #expect(name == "plain") }
      }
      await link.close()
      let other = RigLink(connection, timeouts, OwnWallClock())
      #expect(try await other.readClock() == false)
      await other.close()
      try await withMonitor(of: [connection], options: MonitorOptions(configuration: timeouts)) {
        var feed = $0.makeAsyncIterator()
        guard case .node(.snapshot(let status))? = try await feed.next()?.body else {
          Issue.record("the node's state comes first")
          return
        }
        #expect(status.name == "plain")
      }
      let closed = RigConnection(name: "p", control: node.endpoints.control, credentials: wrong)
      let error = await #expect(throws: CameraBusError.self) {
        try await closed.status(timeouts)
      }
      #expect(error?.code == .wrongNode)
    } finally: {
      await node.stop()
    }
  }
}
