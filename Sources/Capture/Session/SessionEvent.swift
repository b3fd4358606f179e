package import OperatingSystem

/// How a session is.
package struct SessionStatus: Hashable, Sendable {
  package var device: DeviceDescription
  package var state: SessionState
  /// When the state began.
  package var since: MonotonicTime
  /// Set while the device streams.
  package var format: StreamFormat?
}

/// What a session tells of itself.
package enum SessionEvent: Sendable {
  case state(SessionStatus)
  /// The first frame since the session started or came back.
  case firstFrame
  /// A control changed, by a client or by another program.
  case control(ControlState)
  /// The camera came back, and something is not as it was: a sentence for the log.
  case remark(String)
}
