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

/// What a camera is configured to, apart from its format and its controls.
public struct CameraConfiguration: Hashable, Sendable, Codable {
  /// What it is mainly used for. It takes photos and records movies in every mode.
  public var mode: CaptureMode
  /// The preset that chose the format; ``SessionPreset/inputPriority`` if it was chosen without
  /// one.
  public var preset: SessionPreset
  /// How the streams ``FrameStream/preview``, ``FrameStream/full`` and sizes are turned.
  public var preview: Orientation
  /// How photos and movies are turned.
  public var capture: Orientation
  /// The lowest of the frame rates that were asked for; nil if none were.
  public var minimumRate: Double?
  /// The highest of the frame rates that were asked for; nil if none were.
  public var maximumRate: Double?
}
