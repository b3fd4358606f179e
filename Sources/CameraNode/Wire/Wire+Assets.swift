import CameraProtocol
import Digest
import FoundationEssentials
import MediaLibrary
import OperatingSystem
import SwiftProtobuf
import Words

extension WireAsset {
  init(_ asset: Asset) {
    self.init()
    id = Data(asset.id.bytes)
    camera = asset.description.camera
    mediaType = asset.description.mediaType.rawValue
    path = asset.relativePath
    byteCount = UInt64(asset.byteCount)
    sha256 = Data(asset.sha256.bytes)
    size = .with {
      $0.width = UInt32(clamping: asset.description.width)
      $0.height = UInt32(clamping: asset.description.height)
    }
    createdWallNs = asset.description.createdAt
    durationNs = asset.duration?.wholeNanoseconds ?? 0
    frames = UInt64(asset.frameCount ?? 0)
    requestID = Data(asset.description.requestID ?? [])
    recovered = asset.isRecovered
    condition = WireAssetCondition(asset.condition)
    protected = asset.isProtected
    if let proxy = asset.description.replaces { replaces = Data(proxy.bytes) }
    if let deferral = asset.deferral { self.deferral = WireDeferral(deferral) }
    part = WireAssetPart(asset.description.part)
    if let layout = asset.description.layout {
      self.layout = WireRawLayout(
        layout, width: asset.description.width, height: asset.description.height)
    }
    name = asset.description.labels.name
    tags = asset.description.labels.tags
  }
}

extension LabelChange {
  init(_ body: WireTagRequest) {
    self.init(
      name: body.hasName ? body.name : nil, added: body.add, removed: body.remove,
      mostTags: WireLimits.tags, mostBytes: WireLimits.labelByteCount)
  }
}

extension AssetQuery {
  /// - Parameter access: What the client may see.
  init(_ body: WireLibraryVerifyRequest, for access: Access) {
    self.init()
    cameras = body.camera.isEmpty ? access.cameras : [body.camera]
    tags = body.tags
    since = body.sinceWallNs == 0 ? nil : body.sinceWallNs
  }

  /// - Parameter access: What the client may see.
  init(_ body: WireAssetsRequest, for access: Access) {
    self.init()
    cameras = body.camera.isEmpty ? access.cameras : [body.camera]
    idPrefix = body.id.isEmpty ? nil : Array(body.id)
    requestID = body.requestID.isEmpty ? nil : Array(body.requestID)
    since = body.sinceWallNs == 0 ? nil : body.sinceWallNs
    until = body.untilWallNs == 0 ? nil : body.untilWallNs
    isProtected = body.hasProtected ? body.protected : nil
    deferral = Deferral(body.deferral)
    name = body.name.isEmpty ? nil : body.name
    tags = body.tags
    kind =
      switch body.kind {
      case .photo: .photo
      case .movie: .movie
      case .unspecified, .UNRECOGNIZED: nil
      }
  }
}
