/// Memory for planes. It is kept between pictures and grows only when a picture needs more.
@safe final class PlaneBuffer {
  private var memory = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  deinit {
    unsafe memory.deallocate()
  }

  /// Returns planes without padding, except that luma has room for whole chroma samples. They are
  /// valid until the next call, which overwrites them.
  func planes(_ size: ImageSize, _ subsampling: ChromaSubsampling) -> MutablePlanes {
    let padded = subsampling.paddedSize(size)
    let chroma = subsampling.chromaSize(size)
    let lumaCount = padded.width * padded.height
    let chromaCount = chroma.width * chroma.height
    let start = unsafe bytes(lumaCount + 2 * chromaCount)
    let blue = unsafe start + lumaCount
    let red = unsafe blue + chromaCount
    return unsafe MutablePlanes(
      size: size,
      subsampling: subsampling,
      luma: MutablePlane(size: size, start: start, stride: padded.width),
      chroma: subsampling.isGrey
        ? nil
        : (
          blue: MutablePlane(size: chroma, start: blue, stride: chroma.width),
          red: MutablePlane(size: chroma, start: red, stride: chroma.width)
        )
    )
  }

  private func bytes(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if unsafe memory.count < count {
      unsafe memory.deallocate()
      unsafe memory = .allocate(capacity: count)
    }
    guard let start = unsafe memory.baseAddress else {
      preconditionFailure("planes of \(count) bytes have no address")
    }
    return unsafe start
  }
}
