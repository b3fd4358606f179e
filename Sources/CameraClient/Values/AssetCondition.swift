/// Whether an asset's file is still what the node stored. Open: more may come, so a switch needs a
/// default.
public struct AssetCondition: RawRepresentable, Hashable, Sendable, Codable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It is, as far as its size and its time of change tell.
  public static let intact = Self(rawValue: "intact")
  /// Someone deleted or moved the file.
  public static let missing = Self(rawValue: "missing")
  /// The file has other bytes, or something else is in its place.
  public static let changed = Self(rawValue: "changed")

  /// The name.
  public var description: String { rawValue }
}
