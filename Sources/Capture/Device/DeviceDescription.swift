/// Identifies a camera, independently of the present name of its device node.
package struct DeviceDescription: Hashable, Sendable {
  /// Stable across reboots and ports as far as the device allows: its by-id link, else its by-path
  /// link, else its bus info.
  package var identity: String
  /// The device's own name ("HD Pro Webcam C920").
  package var model: String
  /// The device node that is opened ("/dev/video0"), or the specification of a synthetic camera.
  package var location: String
  /// The driver ("uvcvideo", "synthetic").
  package var driver: String

  package init(identity: String, model: String, location: String, driver: String) {
    self.identity = identity
    self.model = model
    self.location = location
    self.driver = driver
  }
}
