/// What a camera is mainly used for. Open: more may come, so a switch needs a default.
public struct CaptureMode: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The mode of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// For photos, as a node starts.
  public static let photo = Self(rawValue: "photo")
  /// For movies.
  public static let video = Self(rawValue: "video")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that this client knows.
  public static let allCases: [CaptureMode] = [.photo, .video]

  /// The name.
  public var description: String { rawValue }
}
