/// What a camera's session is doing.
public enum SessionState: String, Hashable, Sendable, Codable {
  /// Nobody wants frames of it.
  case stopped
  /// The device is being opened.
  case starting
  /// Frames come.
  case running
  /// Frames stopped for a reason that may go away by itself: see ``InterruptionReason``.
  case interrupted
  /// It failed: see ``CameraStatus/error``.
  case failed
  /// A newer node says something that this client does not know.
  case unknown
}

/// Why a session is interrupted.
public enum InterruptionReason: String, Hashable, Sendable, Codable {
  /// The device was unplugged.
  case deviceDisconnected
  /// Another program has the device.
  case deviceInUseByAnotherClient
  /// The device is there and delivers no frames.
  case deviceStalled
  /// The machine is too hot or too busy.
  case systemPressure
  /// There is no room left for photos and movies.
  case storageFull
  /// Another program has the microphone.
  case audioDeviceInUse
  /// Somebody in charge suspended it.
  case suspendedByOperator
  /// A newer node says something that this client does not know.
  case unknown
}
