package import Imaging

/// What a file shows of a photo.
package enum PhotoPart: Codable, Hashable, Sendable {
  /// The picture itself.
  case picture
  /// The distances that a depth camera has measured.
  case depth
  /// What is within these distances.
  case matte(DepthRange)
}

extension PhotoPart {
  /// What the samples of a PNG mean.
  /// - Parameter pixelFormat: That of the frame.
  func texts(_ pixelFormat: PixelFormat) -> [PNGMetadata.Text] {
    guard pixelFormat.isDepth else { return [] }
    let unit = PNGMetadata.Text("DepthUnit", "metre")
    guard case .matte(let range) = self else {
      return [unit, PNGMetadata.Text("DepthScale", "0.001")]
    }
    return [
      unit, PNGMetadata.Text("DepthNear", "\(range.near)"),
      PNGMetadata.Text("DepthFar", "\(range.far)"),
    ]
  }

  /// What a PNG shows of a frame's samples.
  func shown(of samples: Bitmap) -> Bitmap {
    if case .matte(let range) = self { range.matte(of: samples) } else { samples }
  }
}
