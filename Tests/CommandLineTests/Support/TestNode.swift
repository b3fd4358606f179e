import CameraClient
import CameraNode
import Logging
import TestSupport

/// Runs `body` with a node of two synthetic cameras, `left` in Motion-JPEG and `right` in YUYV, and
/// a folder of its own.
func withNode(
  _ body: @Sendable (NodeEndpoints, _ folder: TemporaryFolder) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  var configuration = NodeConfiguration(name: "test", library: "\(folder.path)/library")
  // The machine may be busy with other tests.
  configuration.pressure = .off
  configuration.control = "tcp://127.0.0.1:*"
  configuration.events = "tcp://127.0.0.1:*"
  configuration.frames = "tcp://127.0.0.1:*"
  configuration.cameras = [
    try CameraConfiguration(argument: "left=synthetic:320x240@30,format=MJPG"),
    try CameraConfiguration(argument: "right=synthetic:320x240@30,format=YUYV"),
  ]
  let node = try await Node.start(configuration, log: Logger(label: "test"))
  try await attempt {
    try await body(node.endpoints, folder)
  } finally: {
    await node.stop()
  }
}

/// Runs `camctl` with this node.
func camctl(_ node: String, _ arguments: String...) async throws -> Program.Outcome {
  try await Program(name: "camctl").run(arguments, environment: ["CAMERABUS_NODE": node])
}
