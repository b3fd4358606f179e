import CameraClient
import CameraNode
import Logging
import TestSupport

/// Runs `body` with a node of two synthetic cameras, `left` in Motion-JPEG and `right` in YUYV, the
/// microphones `desk` and `taken`, and a folder of its own.
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
  // It is read at once.
  let calibration = try TemporaryFolder()
  try calibration.write(
    """
    image_width: 320
    image_height: 240
    camera_matrix: {data: [250, 0, 160, 0, 250, 120, 0, 0, 1]}
    distortion_model: plumb_bob
    distortion_coefficients: {data: [0.1, -0.2, 0, 0, 0]}
    """, to: "left.yaml")
  configuration.cameras = [
    try CameraConfiguration(
      argument:
        "left=synthetic:320x240@30,format=MJPG,calibration=\(calibration.path)/left.yaml"),
    try CameraConfiguration(argument: "right=synthetic:320x240@30,format=YUYV"),
  ]
  configuration.microphones = [
    try MicrophoneConfiguration(argument: "desk=synthetic"),
    try MicrophoneConfiguration(argument: "taken=synthetic:inuse=on"),
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
