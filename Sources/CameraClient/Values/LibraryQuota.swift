import CameraProtocol

/// An asset that the node removed to keep to its library's quota.
public struct AssetRemoval: Hashable, Sendable, Codable, CustomStringConvertible {
  /// As it was.
  public var asset: Asset
  /// Which limit it was removed for.
  public var reason: Reason

  /// The file and the reason.
  public var description: String { "\(asset.path) was removed by the quota: \(reason)" }

  init?(_ wire: WireLibraryEvent) {
    guard wire.hasRemoved, let asset = Asset(wire.removed) else { return nil }
    self.asset = asset
    reason = Reason(wire.reason)
  }
}

/// How much a node's library keeps. The node removes what goes beyond, the oldest first.
public struct LibraryQuota: Hashable, Sendable, Codable {
  /// What assets may take together, and how old they may become.
  public struct Limit: Hashable, Sendable, Codable {
    /// Those of this camera; nil for all cameras together.
    public var camera: String?
    /// The most bytes; nil is no limit.
    public var maximumBytes: UInt64?
    /// The greatest age; nil is no limit.
    public var maximumAge: Duration?

    private enum CodingKeys: String, CodingKey {
      case camera, maximumBytes
      case maximumAge = "maximumAgeNanoseconds"
    }
  }

  /// Of all cameras and of single ones.
  public var limits: [Limit]
  /// What stays free on the disk, as far as removing assets helps; nil is no limit.
  public var minimumFreeBytes: UInt64?

  init(_ wire: WireQuota) {
    limits = wire.limits.map { limit in
      Limit(
        camera: limit.camera.isEmpty ? nil : limit.camera,
        maximumBytes: limit.maximumBytes == 0 ? nil : limit.maximumBytes,
        maximumAge: .unlessZero(limit.maximumAgeNs))
    }
    minimumFreeBytes = wire.minimumFreeBytes == 0 ? nil : wire.minimumFreeBytes
  }
}

/// What the assets of one camera take together.
public struct LibraryUsage: Hashable, Sendable, Codable {
  /// The camera's name; the node may have it no more.
  public var camera: String
  /// How many there are.
  public var assets: UInt64
  /// What their files take.
  public var bytes: UInt64
}
