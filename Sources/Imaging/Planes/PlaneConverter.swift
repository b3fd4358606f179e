import CPixels

/// Brings strips of planes into what a JPEG is made of: full range, BT.601, whole blocks.
final class PlaneConverter {
  private let buffer = PlaneBuffer()
  private var lumaChange: [Int16] = []

  /// - Parameters:
  ///   - range: That the planes have.
  ///   - matrix: That the planes have.
  /// - Returns: Planes in memory of their own, valid until the next call; beyond the edges of those given they repeat the
  ///   last column and row, which do not bleed into the picture.
  func convert(
    _ source: Planes,
    range: ImageLayout.Range,
    matrix: ImageLayout.Matrix
  ) -> Planes {
    let subsampling = unsafe source.subsampling
    let target = unsafe buffer.planes(subsampling.wholeBlocks(source.size), subsampling)
    unsafe Self.convert(source.luma, range, CPixels_expandLuma, into: target.luma)
    if let from = unsafe source.chroma, let into = unsafe target.chroma {
      unsafe Self.convert(from.blue, range, CPixels_expandChroma, into: into.blue)
      unsafe Self.convert(from.red, range, CPixels_expandChroma, into: into.red)
    }
    if matrix == .bt709 { unsafe MatrixConversion.convert(target, scratch: &lumaChange) }
    return unsafe target.readable
  }

  private static func convert(
    _ source: Plane,
    _ range: ImageLayout.Range,
    _ expand: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int) -> Void,
    into target: MutablePlane
  ) {
    let width = unsafe source.size.width
    for y in unsafe 0..<source.size.height {
      switch range {
      case .limited: unsafe expand(source.row(y), target.row(y), width)
      case .full: unsafe target.row(y).update(from: source.row(y), count: width)
      }
    }
    unsafe target.pad(beyond: source.size)
  }
}
