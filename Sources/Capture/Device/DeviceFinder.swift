package import EventLoop
package import OperatingSystem

/// Finds the cameras of the machine. It waits for drivers, so it is asked where that is allowed.
package protocol DeviceFinder: Sendable {
  /// Every camera, with the reason if it cannot be used.
  func look() -> [FoundDevice]
  /// Every camera with all that is known of it. This may take long.
  func survey() -> [FoundDevice]
  /// The node stops: drivers are not waited for any more. Can be called on any thread.
  func hurry()
  /// The camera of this identity.
  func device(_ identity: String) -> any CameraDevice
  /// Calls `onChange` on the loop when a camera may have come, gone or changed.
  /// - Returns: ends the watch. Call it on the loop.
  func watch(
    on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) -> @Sendable () -> Void
}
