/// What a program's key may do on a node. Where the node requires no keys, that is everything.
public struct KeyAccess: Hashable, Sendable, Codable {
  /// What it may do.
  public var role: KeyRole
  /// The cameras that it is for; nil for all.
  public var cameras: [String]?
  /// When it ends, in nanoseconds since 1970; nil for never.
  public var expiresWallNanoseconds: Int64?
}
