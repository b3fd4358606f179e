/// What a program's key may do on a node. Where the node requires no keys, that is everything.
public struct KeyAccess: Hashable, Sendable, Codable {
  /// What it may do.
  public var role: KeyRole
  /// The cameras that it is for; nil for all.
  public var cameras: [String]?
  /// When it ends, in nanoseconds since 1970; nil for never.
  public var expiresWallNanoseconds: Int64?
}

/// What a key may do on a node. Open: more may come, so a switch needs a default.
public struct KeyRole: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name, which never changes.
  public let rawValue: String

  /// The role of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Sees status, formats, events, frames, and lists of assets and controls.
  public static let viewer = Self(rawValue: "viewer")
  /// Also takes photos, records, downloads and sets controls.
  public static let `operator` = Self(rawValue: "operator")
  /// Also starts and stops cameras, and deletes and protects assets.
  public static let controller = Self(rawValue: "controller")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// The name.
  public var description: String { rawValue }
}
