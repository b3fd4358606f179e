/// The device behind a camera.
public struct Device: Hashable, Sendable, Codable {
  /// Stable across reboots: by-id if that has a serial number which no other camera has, else
  /// by-path, else bus info.
  public var identity: String
  /// What the maker calls it.
  public var model: String
  /// What it is opened by today: "/dev/video0".
  public var location: String
  /// The driver's name.
  public var driver: String
  /// Why this simulated camera stands in for a real one; nil if it is the camera that was wanted.
  /// A node that was asked to find a camera by itself, and found none, simulates one.
  public var standInReason: String?

  package init(
    identity: String, model: String, location: String, driver: String, standInReason: String? = nil
  ) {
    self.identity = identity
    self.model = model
    self.location = location
    self.driver = driver
    self.standInReason = standInReason
  }
}
