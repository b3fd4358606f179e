/// Selects assets of the library. Each part that is set leaves fewer of them.
public struct AssetFilter: Hashable, Sendable {
  /// Photos or movies.
  public enum Kind: Hashable, Sendable {
    /// A photo.
    case photo
    /// A movie.
    case movie
  }

  /// The camera that made it. It may be one that the node no longer has.
  public var camera: String?
  /// The request that it was made for.
  public var requestID: Identifier?
  /// The beginning of its id: up to 16 bytes.
  public var idPrefix: [UInt8]
  /// What it is.
  public var kind: Kind?
  /// It was taken, or began, at this moment or later.
  public var since: WallInstant?
  /// It was taken, or began, before this moment.
  public var until: WallInstant?
  /// Whether it is protected.
  public var isProtected: Bool?
  /// It is a proxy of whose final picture this has become.
  public var deferral: Deferral?
  /// It has exactly this name.
  public var name: String?
  /// It has all of these tags.
  public var tags: Set<String>

  /// A filter with these parts; without any it selects all assets.
  public init(
    camera: String? = nil,
    requestID: Identifier? = nil,
    idPrefix: [UInt8] = [],
    kind: Kind? = nil,
    since: WallInstant? = nil,
    until: WallInstant? = nil,
    isProtected: Bool? = nil,
    deferral: Deferral? = nil,
    name: String? = nil,
    tags: Set<String> = []
  ) {
    self.camera = camera
    self.requestID = requestID
    self.idPrefix = idPrefix
    self.kind = kind
    self.since = since
    self.until = until
    self.isProtected = isProtected
    self.deferral = deferral
    self.name = name
    self.tags = tags
  }

  /// Whether an asset has the id, the request, the deferral, the name and the tags that are asked
  /// for. Otherwise a lying node could choose the asset that is deleted, or pass off one photo as
  /// another.
  func allows(_ asset: Asset) -> Bool {
    asset.id.bytes.starts(with: idPrefix) && (requestID == nil || asset.requestID == requestID)
      && (deferral == nil || asset.deferral == deferral) && (name == nil || asset.name == name)
      && tags.isSubset(of: asset.tags)
  }
}

/// What became of one asset that was to be deleted, protected or tagged.
public struct AssetChange: Sendable {
  /// The asset's id.
  public let id: Identifier
  /// The asset as it is now, or as it was before it was deleted; or why it is unchanged:
  /// `noSuchAsset`, `conflict` for the deletion of a protected asset, or an error of the node's
  /// disk.
  public let outcome: Result<Asset, CameraBusError>
}
