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
  /// Those streams that have settings of their own.
  public var streams: [StreamSettings] = []
}
