/// What a camera's session is doing. Open: more may come, so a switch needs a default.
public struct SessionState: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It is switched off.
  public static let stopped = Self(rawValue: "stopped")
  /// The device is being opened.
  public static let starting = Self(rawValue: "starting")
  /// Frames come.
  public static let running = Self(rawValue: "running")
  /// Nobody uses the camera, so the node has closed it. It starts when somebody does.
  public static let idle = Self(rawValue: "idle")
  /// Frames stopped for a reason that may go away by itself: see ``InterruptionReason``.
  public static let interrupted = Self(rawValue: "interrupted")
  /// It failed: see ``CameraStatus/error``.
  public static let failed = Self(rawValue: "failed")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// The name.
  public var description: String { rawValue }
}
