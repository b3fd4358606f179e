/// A camera of the node's machine, whether the node has it or not.
public struct MachineDevice: Hashable, Sendable, Codable {
  /// Whether the node may open it. Open: more may come, so a switch needs a default.
  public struct Authorization: RawRepresentable, Hashable, Sendable, Codable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It may.
    public static let authorized = Self(rawValue: "authorized")
    /// The permissions of the device node keep the node's user out; ``MachineDevice/error`` names
    /// the group to join.
    public static let denied = Self(rawValue: "denied")
    /// A container or the node's service keeps all its programs out.
    public static let restricted = Self(rawValue: "restricted")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// The name.
    public var description: String { rawValue }
  }

  /// Which way a camera looks. Open: more may come, so a switch needs a default.
  public struct Position: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To the user.
    public static let front = Self(rawValue: "front")
    /// Away from the user.
    public static let back = Self(rawValue: "back")
    /// It is no part of the machine, or can be turned.
    public static let external = Self(rawValue: "external")

    /// The name.
    public var description: String { rawValue }
  }

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
