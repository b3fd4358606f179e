/// Brings planes into the size, the range and the matrix that a JPEG is to have; each step only where it is needed.
final class PlaneConverter {
  private let scaler = PlaneScaler()
  private let scaled = PlaneBuffer()
  private let converted = PlaneBuffer()
  private var lumaChange: [Int16] = []

  /// - Parameters:
  ///   - size: No larger than the planes' own.
  ///   - range: That the planes have.
  ///   - matrix: That the planes have.
  /// - Returns: Planes in full range and BT.601, valid as long as those given and until the next call.
  func convert(
    _ planes: Planes,
    to size: ImageSize,
    range: ImageLayout.Range,
    matrix: ImageLayout.Matrix
  ) -> Planes {
    // Smaller first: there is less to do for what follows.
    let source = unsafe size == planes.size ? planes : scale(planes, to: size)
    let changesMatrix = unsafe matrix == .bt709 && !source.subsampling.isGrey
    guard unsafe range == .limited || changesMatrix || source.needsPadding else {
      return unsafe source
    }
    let target = unsafe converted.planes(size, source.subsampling)
    unsafe Self.forEachPlane(source, target) { source, target, kind in
      for y in unsafe 0..<source.size.height {
        if range == .limited {
          unsafe RangeExpansion.expand(source.row(y), kind, count: source.size.width, target.row(y))
        } else {
          unsafe target.row(y).update(from: source.row(y), count: source.size.width)
        }
      }
    }
    if changesMatrix { unsafe MatrixConversion.convert(target, scratch: &lumaChange) }
    unsafe target.pad()
    return unsafe target.readable
  }

  private func scale(_ planes: Planes, to size: ImageSize) -> Planes {
    let target = unsafe scaled.planes(size, planes.subsampling)
    unsafe Self.forEachPlane(planes, target) { source, target, _ in
      unsafe scaler.scale(source, into: target)
    }
    return unsafe target.readable
  }

  private static func forEachPlane(
    _ source: Planes,
    _ target: MutablePlanes,
    _ body: (Plane, MutablePlane, PlaneKind) -> Void
  ) {
    unsafe body(source.luma, target.luma, .luma)
    guard let from = unsafe source.chroma, let into = unsafe target.chroma else { return }
    unsafe body(from.blue, into.blue, .chroma)
    unsafe body(from.red, into.red, .chroma)
  }
}

enum PlaneKind {
  case luma, chroma
}
