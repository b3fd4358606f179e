package import OperatingSystem

/// The state of a session and of its device.
package struct SessionStatus: Hashable, Sendable {
  package var device: DeviceDescription
  package var state: SessionState
  /// When the state began.
  package var since: MonotonicTime
  /// Set while the device streams. While it is idle: the format in which it will.
  package var format: StreamFormat?
  package var configuration = ActiveConfiguration()
  /// Whether the camera is idle or starts again from there, and photos wait for it.
  package var isAwaited = false
  /// Whether it starts again after a photo in another format.
  package var isTakingStill = false
  /// What was wanted of the device when it was opened last, and that it did not take.
  package var refusals: [Refusal] = []
}

/// An event that a session reports.
package enum SessionEvent: Sendable {
  case state(SessionStatus)
  /// The first frame since the session started or came back.
  case firstFrame
  /// A control changed, by a client or by another program.
  case control(ControlState)
  /// The camera can do something else than was reported last.
  case capabilities(CameraCapabilities)
  /// All controls that a bracket or a flash changed have their old values, or what clients want.
  case controlsPutBack
  /// What is to be remembered of the session has changed.
  case memory(SessionMemory)
  /// The camera came back, but not everything is as before: a sentence for the log.
  case remark(String)
}
