/// Who a camera is, whatever its node happens to be called today.
package struct DeviceDescription: Hashable, Sendable {
  /// Stable across reboots and ports as far as the device allows: by-id link, else by-path link, else bus info.
  package var identity: String
  /// The device's own name ("HD Pro Webcam C920").
  package var model: String
  /// The node it is opened by today ("/dev/video0"), or the specification of a synthetic one.
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
