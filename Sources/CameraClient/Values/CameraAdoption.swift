/// How a node has come by a camera that its configuration does not name. Open: more may come, so a
/// switch needs a default.
public struct CameraAdoption: RawRepresentable, Hashable, Sendable, Codable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A rule made a camera of its device. When the device has gone, the camera goes too.
  public static let adopted = Self(rawValue: "adopted")
  /// The device has gone, or the configuration names the camera no more. The node does not have it:
  /// this is its last state.
  public static let ended = Self(rawValue: "ended")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// The name.
  public var description: String { rawValue }
}
