import CTurboJPEG

/// Reads JPEGs. One belongs to one thread; it keeps its scratch memory.
package final class JPEGDecoder {
  private let codec: TurboJPEG
  private let scratch = Scratch()

  package init() throws(ImagingError) {
    codec = try TurboJPEG(.decompressor)
  }

  /// Decodes to red, green and blue, three bytes a pixel, rows without padding.
  /// - Throws: `notJPEG`, `truncated`, `corrupt`.
  package func decodeRGB(
    _ image: RawSpan
  ) throws(ImagingError) -> (size: ImageSize, pixels: [UInt8]) {
    let size = try header(image).size
    var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
    try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
      let source = unsafe bytes.bindMemory(to: UInt8.self)
      unsafe try codec.call { handle in
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
          unsafe tjDecompress2(
            handle,
            source.baseAddress,
            CUnsignedLong(source.count),
            pixels.baseAddress,
            Int32(size.width),
            0,
            Int32(size.height),
            Int32(TJPF_RGB.rawValue),
            0
          )
        }
      }
    }
    return (size, pixels)
  }

  /// Decodes to planes in this object's own memory, valid until the next call, at the smallest of libturbojpeg's own
  /// scales that is not below `target`.
  func decodePlanes(_ image: RawSpan, atLeast target: ImageSize) throws(ImagingError) -> Planes {
    let (full, subsampling) = try header(image)
    let size = Self.scaled(full, atLeast: target)
    var failure: ImagingError?
    let planes = unsafe Planes.make(size, subsampling, in: scratch) { luma, blue, red in
      var targets:
        (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) =
          unsafe (luma, blue, red)
      do throws(ImagingError) {
        try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
          let source = unsafe bytes.bindMemory(to: UInt8.self)
          unsafe try codec.call { handle in
            unsafe withUnsafeMutablePointer(to: &targets) { targets in
              unsafe targets.withMemoryRebound(
                to: UnsafeMutablePointer<UInt8>?.self,
                capacity: 3
              ) { targets in
                unsafe tjDecompressToYUVPlanes(
                  handle,
                  source.baseAddress,
                  CUnsignedLong(source.count),
                  targets,
                  Int32(size.width),
                  nil,
                  Int32(size.height),
                  0
                )
              }
            }
          }
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return unsafe planes
  }

  private func header(
    _ image: RawSpan
  ) throws(ImagingError) -> (size: ImageSize, subsampling: Planes.Subsampling) {
    var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
    try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
      let source = unsafe bytes.bindMemory(to: UInt8.self)
      unsafe try codec.call { handle in
        unsafe tjDecompressHeader3(
          handle,
          source.baseAddress,
          CUnsignedLong(source.count),
          &width,
          &height,
          &subsampling,
          &colorspace
        )
      }
    }
    let size = ImageSize(width: Int(width), height: Int(height))
    guard size.isValid else { throw ImagingError(.invalidSize, "the JPEG says it is \(size)") }
    guard let known = Planes.Subsampling(turboJPEG: subsampling) else {
      throw ImagingError(.unsupportedFormat, "the JPEG's chroma subsampling cannot be read")
    }
    return (size, known)
  }

  private static func scaled(_ size: ImageSize, atLeast target: ImageSize) -> ImageSize {
    var count: Int32 = 0
    guard let factors = unsafe tjGetScalingFactors(&count) else { return size }
    var best = size
    for index in 0..<Int(count) {
      let (numerator, denominator) = unsafe (Int(factors[index].num), Int(factors[index].denom))
      let candidate = ImageSize(
        width: (size.width * numerator + denominator - 1) / denominator,
        height: (size.height * numerator + denominator - 1) / denominator
      )
      if candidate.width >= target.width, candidate.height >= target.height,
        candidate.width < best.width
      {
        best = candidate
      }
    }
    return best
  }
}
