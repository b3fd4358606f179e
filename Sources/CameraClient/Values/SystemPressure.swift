/// How hard a node's machine is pressed by its heat and by programs that wait for it, and what the
/// node does about it.
public struct SystemPressure: Hashable, Sendable, Codable {
  /// How hard the machine is pressed. Open: more may come, so a switch needs a default.
  public struct Level: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The node does all its work.
    public static let nominal = Self(rawValue: "nominal")
    /// Encoded streams have fewer frames.
    public static let fair = Self(rawValue: "fair")
    /// Encoded streams have still fewer frames.
    public static let serious = Self(rawValue: "serious")
    /// Cameras that do not record are interrupted.
    public static let critical = Self(rawValue: "critical")
    /// All cameras are interrupted, because the machine is about to switch itself off.
    public static let shutdown = Self(rawValue: "shutdown")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// The name.
    public var description: String { rawValue }
  }

  /// How hard the machine is pressed.
  public var level: Level
  /// When that began.
  public var since: Timestamp
  /// What has raised the pressure, for people; nil while it is nominal.
  public var cause: String?
  /// Encoded streams have one of so many frames; 1 for all.
  public var thinning: Int
}

extension SystemPressure: CustomStringConvertible {
  /// "the pressure on the machine is serious: cpu-thermal is at 86.2 °C; encoded streams have one
  /// frame in 4".
  public var description: String {
    "the pressure on the machine is \(level)" + (cause.map { ": \($0)" } ?? "")
      + (thinning > 1 ? "; encoded streams have one frame in \(thinning)" : "")
  }
}
