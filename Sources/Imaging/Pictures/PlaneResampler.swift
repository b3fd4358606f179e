/// Copies planes into pictures of their own, with the wanted chroma subsampling.
final class PlaneResampler {
  private let scaler = PlaneScaler()

  /// - Parameters:
  ///   - planes: In full range and BT.601.
  ///   - subsampling: Nil keeps the planes' own.
  func picture(_ planes: Planes, as subsampling: ChromaSubsampling?) -> PlanarPicture {
    let size = unsafe planes.size
    let subsampling = unsafe subsampling ?? planes.subsampling
    let chroma = subsampling.chromaSize(size)
    let (lumaCount, chromaCount) = (size.width * size.height, chroma.width * chroma.height)
    let count = lumaCount + 2 * chromaCount
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
      written = count
      guard let luma = bytes.baseAddress else { return }
      unsafe copy(planes.luma, size, to: luma, size)
      guard chromaCount > 0 else { return }
      let (blue, red) = unsafe (luma + lumaCount, luma + lumaCount + chromaCount)
      let part = unsafe planes.subsampling.chromaSize(size)
      guard let source = unsafe planes.chroma else {
        unsafe blue.update(repeating: 128, count: 2 * chromaCount)
        return
      }
      unsafe copy(source.blue, part, to: blue, chroma)
      unsafe copy(source.red, part, to: red, chroma)
    }
    return PlanarPicture(size: size, subsampling: subsampling, bytes: bytes)
  }

  /// - Parameter part: The size of the picture's part of the plane, which may have padding beyond.
  private func copy(
    _ plane: Plane, _ part: ImageSize, to start: UnsafeMutablePointer<UInt8>, _ size: ImageSize
  ) {
    let source = unsafe Plane(size: part, start: plane.start, stride: plane.stride)
    let target = unsafe MutablePlane(size: size, start: start, stride: size.width)
    guard part == size else {
      unsafe scaler.scale(source, into: target)
      return
    }
    for y in 0..<size.height {
      unsafe target.row(y).update(from: source.row(y), count: size.width)
    }
  }
}
