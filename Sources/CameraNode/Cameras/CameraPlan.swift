import Capture

/// A camera that is about to become one of the node's.
struct CameraPlan: Sendable {
  var name: String
  var input: SessionInput
  var options: CameraOptions
  var start: CameraStart
  /// Why it is simulated although a real one was wanted.
  var standInReason: String?
  /// Whether it goes with its device.
  var isAdopted = false
}
