import CTurboJPEG

/// Makes JPEGs of raw pictures. One belongs to one thread; it keeps its scratch memory, so that nothing is
/// allocated per picture once the shapes are known.
///
/// Chroma stays as the source has it (4:2:2 or 4:2:0); RGB becomes 4:2:2. Sources in limited range are expanded
/// to the full range that JPEG has; those with the Rec. 709 matrix are encoded as they are, for JFIF knows none.
package final class JPEGEncoder {
  private let codec: TurboJPEG
  private let reader = PlaneReader()
  private let converted = Scratch()

  package init() throws(ImagingError) {
    codec = try TurboJPEG(.compressor)
  }

  /// The most bytes that a JPEG of this size takes.
  package static func maximumByteCount(for size: ImageSize) -> Int {
    Int(tjBufSize(Int32(size.width), Int32(size.height), Int32(TJSAMP_444.rawValue)))
  }

  /// Encodes one picture.
  /// - Parameters:
  ///   - image: at least `layout.byteCount` bytes.
  ///   - scaledTo: a smaller size to scale down to; larger ones are cut to the source's size.
  ///   - quality: 1...100.
  ///   - output: room for `maximumByteCount(for:)` bytes of the resulting size.
  /// - Returns: the bytes written.
  /// - Throws: `shortInput`, `shortOutput`, `unsupportedFormat`.
  package func encode(
    _ image: RawSpan,
    layout: ImageLayout,
    scaledTo target: ImageSize? = nil,
    quality: Int,
    into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    guard image.byteCount >= layout.byteCount, layout.byteCount > 0 else {
      throw ImagingError(
        .shortInput,
        "a picture of \(layout.size) in \(layout.pixelFormat) has \(layout.byteCount) bytes, not \(image.byteCount)"
      )
    }
    let size = ImageSize(
      width: min(target?.width ?? layout.size.width, layout.size.width),
      height: min(target?.height ?? layout.size.height, layout.size.height)
    )
    guard size.isValid else { throw ImagingError(.invalidSize, "\(size) is no size of a picture") }
    return try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
      guard let source = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else {
        throw ImagingError(.shortInput, "the picture is empty")
      }
      let planes =
        switch layout.pixelFormat {
        case .rgb24, .bgr24: unsafe try planes(ofRGB: source, layout, target: size)
        default: unsafe try reader.planes(source, layout, target: size)
        }
      return unsafe try codec.compress(planes, quality: quality, into: &output)
    }
  }

  private func planes(
    ofRGB source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    target: ImageSize
  ) throws(ImagingError) -> Planes {
    var failure: ImagingError?
    let planes = unsafe Planes.make(layout.size, .yuv422, in: converted) { luma, blue, red in
      var destinations:
        (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) =
          unsafe (luma, blue, red)
      let order = layout.pixelFormat == .rgb24 ? TJPF_RGB : TJPF_BGR
      do throws(ImagingError) {
        unsafe try codec.call { handle in
          unsafe withUnsafeMutablePointer(to: &destinations) { destinations in
            unsafe destinations.withMemoryRebound(
              to: UnsafeMutablePointer<UInt8>?.self,
              capacity: 3
            ) { destinations in
              unsafe tjEncodeYUVPlanes(
                handle,
                source,
                Int32(layout.size.width),
                Int32(layout.bytesPerLine),
                Int32(layout.size.height),
                Int32(order.rawValue),
                destinations,
                nil,
                Int32(TJSAMP_422.rawValue),
                0
              )
            }
          }
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return unsafe target == layout.size ? planes : reader.scale(planes, to: target, expands: false)
  }
}

extension TurboJPEG {
  /// Compresses planes in full range.
  func compress(
    _ planes: Planes,
    quality: Int,
    into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    guard let subsampling = unsafe planes.subsampling.turboJPEG else {
      throw ImagingError(.unsupportedFormat, "this chroma subsampling cannot be encoded")
    }
    let (width, height) = unsafe (Int32(planes.size.width), Int32(planes.size.height))
    let needed = Int(tjBufSize(width, height, Int32(subsampling.rawValue)))
    guard output.byteCount >= needed else {
      throw ImagingError(
        .shortOutput,
        "a JPEG may take \(needed) bytes, and there is room for \(output.byteCount)"
      )
    }
    var sources: (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?) =
      unsafe (planes.luma.start, planes.blue?.start, planes.red?.start)
    var strides: (Int32, Int32, Int32) = unsafe (
      Int32(planes.luma.stride), Int32(planes.blue?.stride ?? 0), Int32(planes.red?.stride ?? 0)
    )
    var byteCount = CUnsignedLong(output.byteCount)
    let flags = TJFLAG_NOREALLOC
    try unsafe output.withUnsafeMutableBytes { (bytes) throws(ImagingError) in
      var target = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
      unsafe try call { handle in
        unsafe withUnsafeMutablePointer(to: &sources) { sources in
          unsafe withUnsafeMutablePointer(to: &strides) { strides in
            unsafe sources.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 3) {
              sources in
              unsafe strides.withMemoryRebound(to: Int32.self, capacity: 3) { strides in
                unsafe tjCompressFromYUVPlanes(
                  handle,
                  sources,
                  width,
                  strides,
                  height,
                  Int32(subsampling.rawValue),
                  &target,
                  &byteCount,
                  Int32(max(1, min(100, quality))),
                  Int32(flags)
                )
              }
            }
          }
        }
      }
    }
    return Int(byteCount)
  }
}
