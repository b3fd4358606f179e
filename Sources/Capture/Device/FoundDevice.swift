package import EventLoop
package import OperatingSystem

/// A camera of the machine, whether a session uses it or not.
package struct FoundDevice: Hashable, Sendable {
  package var description: DeviceDescription
  /// Other names that lead to it and to no other device now.
  package var aliases: Set<String> = []
  package var authorization: DeviceAuthorization
  /// Why it cannot be used, with the remedy.
  package var problem: CaptureError?
  package var mounting = DeviceMounting()
  /// The other programs that have it open, as far as this user may see them: "cheese (process 7)".
  package var holders: [String] = []
  /// What it offers. Empty if it cannot be opened.
  package var formats: [CameraFormat] = []

  package init(
    _ description: DeviceDescription, _ authorization: DeviceAuthorization = .authorized,
    problem: CaptureError? = nil, aliases: Set<String> = []
  ) {
    self.description = description
    self.aliases = aliases
    self.authorization = authorization
    self.problem = problem
  }

  /// Every name by which it can be found.
  package var names: Set<String> {
    aliases.union([description.identity, description.location])
  }
}

/// Whether this program may open a camera. These are the values of AVFoundation's
/// `AVAuthorizationStatus` that Linux has: nobody is asked, so none is undetermined.
package enum DeviceAuthorization: Hashable, Sendable {
  case authorized
  /// The device node's permissions keep this user out (EACCES).
  case denied
  /// A container or a service's unit keeps all its programs out (EPERM).
  case restricted
}

/// How a camera is built into its machine, as far as it is known.
package struct DeviceMounting: Hashable, Sendable {
  package var position: DevicePosition?
  /// By how many degrees clockwise a picture must be turned to stand upright: 0, 90, 180 or 270.
  package var rotation: Int?
  /// Only the operator can know it.
  package var calibration: Calibration?

  package init(
    position: DevicePosition? = nil, rotation: Int? = nil, calibration: Calibration? = nil
  ) {
    self.position = position
    self.rotation = rotation
    self.calibration = calibration
  }

  /// This, and what it leaves out from another source.
  package func filled(from other: DeviceMounting) -> DeviceMounting {
    DeviceMounting(
      position: position ?? other.position, rotation: rotation ?? other.rotation,
      calibration: calibration)
  }
}

/// Which way a camera looks.
package enum DevicePosition: Hashable, Sendable {
  /// To the user.
  case front
  /// Away from the user.
  case back
  /// It is no part of the machine, or can be turned.
  case external
}

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
  /// - Returns: Ends the watch. Call it on the loop.
  func watch(
    on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) -> @Sendable () -> Void
}
