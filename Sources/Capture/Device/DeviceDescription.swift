/// Identifies a camera, independently of the present name of its device node.
package struct DeviceDescription: Hashable, Sendable {
  /// Stable across reboots and ports as far as the device allows: its by-id link if that has a
  /// serial number and can be no other device's, else its by-path link, else its bus info.
  package var identity: String
  /// The device's own name ("HD Pro Webcam C920").
  package var model: String
  /// The device node that is opened ("/dev/video0"), or the specification of a synthetic camera.
  package var location: String
  /// The driver ("uvcvideo", "synthetic").
  package var driver: String
  /// Whether no device of the machine is behind it.
  package var isSimulated: Bool

  package init(
    identity: String, model: String, location: String, driver: String, isSimulated: Bool = false
  ) {
    self.identity = identity
    self.model = model
    self.location = location
    self.driver = driver
    self.isSimulated = isSimulated
  }

  /// Whether both describe the same device of the machine.
  package func isSameDevice(as other: DeviceDescription) -> Bool {
    guard !isSimulated, !other.isSimulated else { return false }
    // Before a device is opened, its node may be all that is known of it.
    let isOnlyNode = identity == location || other.identity == other.location
    return identity == other.identity || (isOnlyNode && location == other.location)
  }
}
