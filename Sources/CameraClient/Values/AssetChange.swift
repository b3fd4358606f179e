/// What became of one asset that was to be deleted or protected.
public struct AssetChange: Sendable {
  /// The asset's id.
  public let id: Identifier
  /// The asset as it is now, or as it was before it was deleted; or why it is unchanged:
  /// `noSuchAsset`, `conflict` for the deletion of a protected asset, or an error of the node's
  /// disk.
  public let outcome: Result<Asset, CameraBusError>
}
