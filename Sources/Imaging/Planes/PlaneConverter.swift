import CPixels

/// Converts strips of planes to the JPEG compressor's input: full range, BT.601, whole blocks.
final class PlaneConverter {
  private let buffer = PlaneBuffer()
  private var lumaChange: [Int16] = []

  /// - Parameters:
  ///   - range: The range of the source.
  ///   - matrix: The matrix of the source.
  /// - Returns: Planes in this object's memory, valid until the next call. Their padding repeats
  ///   the last column and row, so that it does not bleed into the picture.
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
