package import CameraProtocol

extension AssetPart {
  /// Nil for the picture itself.
  package init?(_ wire: WireAssetPart) {
    switch wire {
    case .unspecified: return nil
    case .depth: self = .depth
    case .matte: self = .matte
    case .UNRECOGNIZED: self = .unknown
    }
  }
}
