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
  /// It was taken, or began, at this moment or later: nanoseconds since 1970.
  public var since: Int64?
  /// It was taken, or began, before this moment: nanoseconds since 1970.
  public var until: Int64?
  /// Whether it is protected.
  public var isProtected: Bool?
  /// It is a proxy of whose final picture this has become.
  public var deferral: Deferral?

  /// A filter with these parts; without any it selects all assets.
  public init(
    camera: String? = nil,
    requestID: Identifier? = nil,
    idPrefix: [UInt8] = [],
    kind: Kind? = nil,
    since: Int64? = nil,
    until: Int64? = nil,
    isProtected: Bool? = nil,
    deferral: Deferral? = nil
  ) {
    self.camera = camera
    self.requestID = requestID
    self.idPrefix = idPrefix
    self.kind = kind
    self.since = since
    self.until = until
    self.isProtected = isProtected
    self.deferral = deferral
  }

  /// Whether an asset has the id, the request and the deferral that are asked for. Otherwise a
  /// lying node could choose the asset that is deleted, or pass off one photo as another.
  func allows(_ asset: Asset) -> Bool {
    asset.id.bytes.starts(with: idPrefix) && (requestID == nil || asset.requestID == requestID)
      && (deferral == nil || asset.deferral == deferral)
  }
}
