package import CameraProtocol

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

/// A camera of the node's machine, whether the node has it or not.
public struct MachineDevice: Hashable, Sendable, Codable {
  /// Its names and its driver.
  public var device: Device
  /// The name of the node's camera that uses it; nil if none does.
  public var camera: String?
  /// Whether the node may open it.
  public var authorization: Authorization
  /// Why it cannot be used, with the remedy; nil if the node can open it.
  public var error: Problem?
  /// Which way it looks; nil if neither the operator nor its driver says.
  public var position: Position?
  /// By how many degrees clockwise its pictures must be turned to stand upright: 0, 90, 180 or 270;
  /// nil if neither the operator nor its driver says.
  public var rotation: Int?
  /// The other programs that have it open, as far as the node may see them: "cheese (process 7)".
  public var holders: [String]
  /// What it offers; empty in events, and if it cannot be opened.
  public var formats: [CameraFormat]

  package init(
    device: Device, camera: String? = nil, authorization: Authorization, error: Problem?,
    position: Position?, rotation: Int?, holders: [String], formats: [CameraFormat]
  ) {
    self.device = device
    self.camera = camera
    self.authorization = authorization
    self.error = error
    self.position = position
    self.rotation = rotation
    self.holders = holders
    self.formats = formats
  }
}

extension MachineDevice {
  package init(_ wire: WireMachineDevice) {
    self.init(
      device: Device(wire.device),
      camera: wire.camera.isEmpty ? nil : wire.camera,
      authorization: Authorization(wire.authorization),
      error: wire.hasError ? Problem(wire.error) : nil,
      position: Position(wire.position),
      rotation: wire.hasRotation ? Int(wire.rotation) : nil,
      holders: wire.holders,
      formats: wire.formats.map(CameraFormat.init))
  }
}
