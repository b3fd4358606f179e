/// Whether a camera can take a photo now, and if not, what it waits for.
public enum Readiness: String, Hashable, Sendable, Codable {
  /// The session is stopped, interrupted or failed.
  case sessionNotRunning
  /// A photo can be taken.
  case ready
  /// Not for a moment: the session starts, or a request is on its way to the node.
  case notReadyMomentarily
  /// As many requests wait for their frame as may.
  case notReadyWaitingForCapture
  /// As many pictures are being made as may.
  case notReadyWaitingForProcessing
  /// A newer node says something that this client does not know.
  case unknown
}
